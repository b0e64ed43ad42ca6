import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { logEvent, type Log } from '@tidegate/contract'
import { ping, type Db, type LogWriter } from '@tidegate/storage'
import { settleBatch } from './settlement/apply-batch.ts'
import { lastAppliedBatch, settledRequests } from './settlement/settled-batches.ts'
import type { SettlementRecord } from './settlement/settlement.ts'
import { findOwnership, takeOver } from './journal/owner.ts'
import { readJournal } from './journal/read-journal.ts'
import { releaseHolder } from './leases/lease-rows.ts'
import { isExpired } from './leases/processes.ts'

interface ReplayDeps {
  db: Db
  /** Contains one directory per process, named after it. */
  journals: string
  /** This process, whose own journal is skipped. */
  self: string
  log: Log
  logs?: LogWriter | undefined
}

/** Settles the journals of dead processes, then returns their leases. */
export async function replayDeadJournals({ db, journals, self, log, logs }: ReplayDeps): Promise<string[]> {
  const holders = await readdir(journals).catch(() => [])
  const replayed: string[] = []
  for (const holder of holders) {
    const directory = join(journals, holder)
    if (holder === self || !(await mayReplay(db, directory, holder))) continue
    const settled = await settleJournal({ db, logs }, directory, holder)
    if (!settled) continue
    const returned = await releaseHolder(db, holder)
    await rm(directory, { recursive: true, force: true })
    taken.delete(directory)
    replayed.push(holder)
    logEvent(log, 'journal.replayed', { holder, ...settled, returned })
  }
  return replayed
}

/**
 * Undefined if the journal is gone. Another process may replay it too: batches count once, and a removed journal is
 * settled.
 */
async function settleJournal(
  { db, logs }: Pick<ReplayDeps, 'db' | 'logs'>,
  directory: string,
  holder: string,
): Promise<{ applied: number; damagedRecords: number } | undefined> {
  let applied = 0
  try {
    const batches = readJournal(directory, await lastAppliedBatch(db, holder))
    for (;;) {
      const next = await batches.next()
      if (next.done) return { applied, damagedRecords: next.value }
      const { number } = next.value
      const settlements = number ? next.value.settlements : await withoutSettled(db, next.value.settlements)
      const id = number ? { holder, number, logs } : { holder, number: 1, series: `${holder} interrupted`, logs }
      if (await settleBatch(db, id, settlements)) applied += settlements.length
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** On a full disk, a receipt may have reached only the database and left its last checkpoint behind. */
async function withoutSettled(db: Db, interrupted: readonly SettlementRecord[]): Promise<readonly SettlementRecord[]> {
  const settled = await settledRequests(
    db,
    interrupted.map(({ requestId }) => requestId),
  )
  return interrupted.filter(({ requestId }) => !settled.has(requestId))
}

/** Directories that this process took over, perhaps in a round that failed. */
const taken = new Set<string>()

/**
 * Takes the journal of a dead process over. Another process may want to continue it, but only while the database is
 * away: it responded here.
 */
async function mayReplay(db: Db, directory: string, holder: string): Promise<boolean> {
  if (taken.has(directory)) return true
  const owner = await findOwnership(directory)
  if (owner.state === 'alive' || (owner.state === 'unknown' && !(await isExpired(db, holder)))) return false
  await ping(db)
  if (!(await takeOver(directory, owner))) return false
  taken.add(directory)
  return true
}
