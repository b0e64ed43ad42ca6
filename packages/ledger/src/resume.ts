import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReceiptData } from '@tidegate/pricing'
import type { Db } from '@tidegate/storage'
import { settledRequests } from './settlement/settled-batches.ts'
import type { Charge } from './settlement/settlement.ts'
import { findOwnership, takeOver } from './journal/owner.ts'
import type { Journal } from './journal/journal.ts'
import { recoverProcess, type RecoveredProcess } from './journal/recover-process.ts'
import type { AccountId } from './leases/lease-rows.ts'

/**
 * The clock of the machine, in milliseconds: processes of one boot share it. The owner of a journal is known only to
 * processes of the same boot.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

/**
 * For a process that starts while the database is away: takes over the newest dead process of its slot, with its name,
 * leases and journal. Undefined if there is none whose journal says exactly what it held. Processes of a slot end by
 * themselves after their supervisor was killed: waits for them for so long.
 */
export async function takeOverDeadProcess(journals: string, slot?: string, endingMs = 0): Promise<string | undefined> {
  const isOfSlot = slot === undefined ? () => true : (holder: string) => NAME_END.exec(holder)?.[1]?.endsWith(slot)
  const deadline = monotonicMs() + endingMs
  for (;;) {
    const found: { holder: string; heartbeatAt: number }[] = []
    let isEnding = false
    for (const holder of (await readdir(journals).catch(() => [])).filter(isOfSlot)) {
      const directory = join(journals, holder)
      const { state, isOrphan } = await findOwnership(directory)
      isEnding ||= slot !== undefined && isOrphan
      const recovered = state === 'dead' ? await recoverProcess(directory) : undefined
      if (recovered) found.push({ holder, heartbeatAt: recovered.heartbeatAt })
    }
    // The one that still ends holds the newest leases.
    if (isEnding && monotonicMs() < deadline) {
      await delay(ENDING_CHECK_MS)
      continue
    }
    for (const { holder } of found.toSorted((a, b) => b.heartbeatAt - a.heartbeatAt)) {
      const directory = join(journals, holder)
      const owner = await findOwnership(directory)
      if (owner.state === 'dead' && (await takeOver(directory, owner))) return holder
    }
    return undefined
  }
}

const ENDING_CHECK_MS = 100

/** Names end with the process id and a random number. */
const NAME_END = /^(.*)-\d+-[0-9a-f]{8}$/

/** The credit that can be reserved again: what was held, except what the open requests of the dead process cost. */
export function spendableCredit({ held, interrupted }: RecoveredProcess): (AccountId & { amount: number })[] {
  const costs = new Map<string, number>()
  const add = ({ userId, tokenId }: AccountId, cost: number) => {
    const key = `${userId}:${tokenId}`
    costs.set(key, (costs.get(key) ?? 0) + cost)
  }
  for (const { base, charged } of interrupted) {
    add({ userId: base.userId, tokenId: 0 }, charged)
    if (base.tokenId !== 0 && !base.tokenUnlimited) add(base, charged)
  }
  return [...held.entries()]
    .map(({ userId, tokenId, amount }) => {
      return { userId, tokenId, amount: amount - (costs.get(`${userId}:${tokenId}`) ?? 0) }
    })
    .filter(({ amount }) => amount > 0)
}

/** Charges requests that the dead process had open. On a full disk, a receipt may have reached only the database. */
export async function chargeInterrupted(
  db: Db,
  journal: Journal,
  interrupted: readonly Charge<ReceiptData>[],
): Promise<void> {
  if (interrupted.length === 0) return
  const settled = await settledRequests(
    db,
    interrupted.map(({ base }) => base.requestId),
  )
  for (const charge of interrupted) {
    if (settled.has(charge.base.requestId)) journal.release(charge.base.requestId)
    else void journal.append({ ...charge, interrupted: true })
  }
}

/** Whether the database lacks leases that the journal has: a failover may have lost the newest transactions. */
export async function hasLostLeases(db: Db, holder: string, { held }: Pick<Journal, 'held'>): Promise<boolean> {
  const rows = await db
    .selectFrom('credit_lease')
    .select(['user_id', 'token_id', 'amount'])
    .where('holder', '=', holder)
    .execute()
  const leased = new Map(rows.map(({ user_id, token_id, amount }) => [`${user_id}:${token_id}`, amount]))
  return [...held.entries()].some(({ userId, tokenId, amount }) => amount > (leased.get(`${userId}:${tokenId}`) ?? 0))
}
