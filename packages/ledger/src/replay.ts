import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { logEvent, type Log } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { settleBatch } from './settlement/apply-batch.ts'
import type { SettlementRecord } from './settlement/settlement.ts'
import { ownerState } from './journal/owner.ts'
import { readJournal, type RecoveredJournal } from './journal/read-journal.ts'
import { releaseHolder } from './leases/lease-rows.ts'
import { isExpired } from './leases/processes.ts'

interface ReplayDeps {
  db: Db
  /** Contains one directory per process, named after it. */
  journals: string
  /** This process, whose own journal is skipped. */
  self: string
  log: Log
}

/** Settles the journals of dead processes, then returns their leases. */
export async function replayDeadJournals({ db, journals, self, log }: ReplayDeps): Promise<string[]> {
  const holders = await readdir(journals).catch(() => [])
  const replayed: string[] = []
  for (const holder of holders) {
    if (holder === self || !(await isDead(db, join(journals, holder), holder))) continue
    const journal = await readIfPresent(join(journals, holder))
    if (!journal) continue
    const { batches, damagedRecords } = journal
    let applied = 0
    for (const { number, settlements: found } of batches) {
      const settlements = await withoutSettled(db, found)
      if (await settleBatch(db, { holder, number }, settlements)) applied += settlements.length
    }
    const returned = await releaseHolder(db, holder)
    await rm(join(journals, holder), { recursive: true, force: true })
    replayed.push(holder)
    logEvent(log, 'journal.replayed', { holder, applied, returned, damagedRecords })
  }
  return replayed
}

/** Another process may replay it too: batches count once, and a removed journal is settled. */
async function readIfPresent(directory: string): Promise<RecoveredJournal | undefined> {
  try {
    return await readJournal(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** On a full disk, a receipt may have reached only the database and left its last checkpoint behind. */
async function withoutSettled(db: Db, settlements: readonly SettlementRecord[]): Promise<readonly SettlementRecord[]> {
  const interrupted = settlements.filter(({ log }) => log.other.interrupted).map(({ requestId }) => requestId)
  if (interrupted.length === 0) return settlements
  const rows = await db.selectFrom('usage_log').select('request_id').where('request_id', 'in', interrupted).execute()
  const settled = new Set(rows.map(({ request_id }) => request_id))
  return settlements.filter(({ requestId }) => !settled.has(requestId))
}

async function isDead(db: Db, directory: string, holder: string): Promise<boolean> {
  const state = await ownerState(directory)
  return state === 'unknown' ? isExpired(db, holder) : state === 'dead'
}
