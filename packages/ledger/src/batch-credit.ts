import { toReceiptData } from '@tidegate/pricing'
import type { Db, LogWriter } from '@tidegate/storage'
import { batchHolder, releaseHolder, takeLease } from './leases/lease-rows.ts'
import { registerProcess, sendHeartbeat } from './leases/processes.ts'
import { settleBatch } from './settlement/apply-batch.ts'
import { lastAppliedBatch } from './settlement/settled-batches.ts'
import { buildSettlement, hasOwnAccount, type SettledRequest, type SettlementBase } from './settlement/settlement.ts'

/** Who pays for a batch that a provider runs. */
export interface BatchAccount extends Omit<SettlementBase, 'requestId'> {
  readonly batchId: string
}

/** A line with a result, and its price. */
export interface PricedLine {
  readonly number: number
  readonly requestId: string
  readonly outcome: SettledRequest
}

/** How long the credit of a batch outlives its last poll. */
const LEASE_SECONDS = 3 * 86_400
const MAX_TRIES = 5

/** An account does not hold the amount. */
export class BatchNotCovered extends Error {}

/**
 * Moves credit for a whole batch into a lease of its own, which no process holds. Throws if an account does not hold the
 * amount: call it in a transaction.
 */
export async function reserveBatchCredit(transaction: Db, account: BatchAccount, amount: number): Promise<void> {
  const { batchId } = account
  await registerProcess(transaction, batchHolder(batchId), LEASE_SECONDS)
  if (amount === 0) return
  for (const id of accountsOf(account)) {
    const lease = { holder: batchHolder(batchId), ...id, need: amount, want: amount }
    if ((await takeLease(transaction, lease)) < amount) throw new BatchNotCovered()
  }
}

/** Users before tokens, as everywhere. */
function accountsOf(account: BatchAccount) {
  const { userId, tokenId } = account
  return [{ userId, tokenId: 0 }, ...(hasOwnAccount(account) ? [{ userId, tokenId }] : [])]
}

/**
 * Charges lines to the credit of their batch. A line that was charged before is not charged again, whichever process did
 * it. Returns what neither the reservation nor the account covers; it is recorded as uncovered.
 */
export async function settleBatchLines(
  db: Db,
  account: BatchAccount,
  lines: readonly PricedLine[],
  { keepLog, logs }: { readonly keepLog: boolean; readonly logs?: LogWriter | undefined },
): Promise<number> {
  const holder = batchHolder(account.batchId)
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const uncharged = await withoutCharged(db, account.batchId, lines)
    if (uncharged.length === 0) return 0
    const after = await lastAppliedBatch(db, holder)
    const needed = sumOf(uncharged)
    const covered = await cover(db, account, needed)
    let available = covered
    const settlements = uncharged.map(({ requestId, outcome }) => {
      const charged = Math.min(outcome.receipt.quota, available)
      available -= charged
      const settled = { ...outcome, receipt: toReceiptData(outcome.receipt) }
      return buildSettlement({ base: { ...account, requestId }, outcome: settled, charged, keepLog })
    })
    if (await settleBatch(db, { holder, number: after + 1, after, logs }, settlements))
      return Math.max(0, needed - covered)
  }
  throw new Error('other processes settle the same batch')
}

function sumOf(lines: readonly PricedLine[]): number {
  return lines.reduce((sum, { outcome }) => sum + outcome.receipt.quota, 0)
}

async function withoutCharged(db: Db, batchId: string, lines: readonly PricedLine[]): Promise<PricedLine[]> {
  const numbers = lines.map(({ number }) => number)
  const rows = await db
    .selectFrom('batch_charge')
    .select('number')
    .where('batch_id', '=', batchId)
    .where('number', 'in', numbers)
    .execute()
  const charged = new Set(rows.map(({ number }) => number))
  return lines.filter(({ number }) => !charged.has(number))
}

/** What the lines can be charged: the rest of the reservation, and what the accounts add when it is too small. */
async function cover(db: Db, account: BatchAccount, needed: number): Promise<number> {
  const amounts: number[] = []
  for (const id of accountsOf(account)) {
    const lease = await db
      .selectFrom('credit_lease')
      .select('amount')
      .where('holder', '=', batchHolder(account.batchId))
      .where('user_id', '=', id.userId)
      .where('token_id', '=', id.tokenId)
      .executeTakeFirst()
    const held = lease?.amount ?? 0
    const missing = needed - held
    const request = { holder: batchHolder(account.batchId), ...id, need: missing, want: missing, minimum: 1 }
    amounts.push(missing > 0 ? held + (await takeLease(db, request)) : held)
  }
  return Math.min(...amounts)
}

/** Keeps the reservation of a batch whose provider still runs it. */
export async function keepBatchCredit(db: Db, batchId: string): Promise<void> {
  await sendHeartbeat(db, batchHolder(batchId))
}

/** Returns what the lines of a batch did not cost. */
export async function releaseBatchCredit(db: Db, batchId: string): Promise<void> {
  await releaseHolder(db, batchHolder(batchId))
}
