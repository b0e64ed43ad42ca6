import { jsonText, type Pipeline } from '@tidegate/storage'
import { sql } from 'kysely'
import type { SettlementRecord } from './settlement.ts'
import type { AccountSum, BatchSums } from './summarize-batch.ts'

/** Accounts cannot pay all that requests spent without a lease. `short` is what is missing, by account. */
export class ShortAccounts extends Error {
  readonly short: ReadonlyMap<string, number>

  constructor(short: ReadonlyMap<string, number>) {
    super('accounts do not cover what was spent while the database was away')
    this.short = short
  }
}

const keyOf = (userId: number, tokenId: number) => `${userId}:${tokenId}`

/** The accounts that pay for a request. */
function accountsOf({ userId, tokenId, tokenLimited }: SettlementRecord): { userId: number; tokenId: number }[] {
  return [{ userId, tokenId: 0 }, ...(tokenLimited ? [{ userId, tokenId }] : [])]
}

/** Adds up what no lease covered. */
export function createOverdraftSums() {
  const sums = new Map<string, AccountSum>()
  return {
    add(settlement: SettlementRecord): void {
      const { overdrawn = 0 } = settlement
      if (overdrawn === 0) return
      for (const { userId, tokenId } of accountsOf(settlement)) {
        const key = keyOf(userId, tokenId)
        const sum = sums.get(key) ?? { user_id: userId, token_id: tokenId, quota: 0 }
        sums.set(key, { ...sum, quota: sum.quota + overdrawn })
      }
    },
    sums: () => [...sums.values()],
  }
}

interface CheckedBatch {
  readonly overdrafts: readonly AccountSum[]
  readonly sums: BatchSums
}

/** Locks the accounts, and throws `ShortAccounts` if one does not hold what the batch takes from it. */
export async function checkOverdrafts(
  send: Pipeline['send'],
  holder: string,
  { overdrafts, sums }: CheckedBatch,
): Promise<void> {
  // All accounts of the batch in one order, to avoid deadlocks.
  const [users, tokens] = [sums.users, sums.tokens].map((list) => list.map(({ id }) => id))
  await send(sql`select from "user" where id = any(${users}) order by id for update`)
  await send(sql`select from token where id = any(${tokens}) order by id for update`)
  const charged = new Map(sums.accounts.map((account) => [keyOf(account.user_id, account.token_id), account.quota]))
  const { rows } = await send(sql<{ user_id: number; token_id: number; available: number }>`
    select s.user_id, s.token_id,
      greatest(0, case s.token_id when 0 then u.quota else t.remain_quota end) + coalesce(l.amount, 0) as available
    from json_to_recordset(${jsonText(overdrafts)}::json) as s(user_id bigint, token_id bigint)
    join "user" u on u.id = s.user_id
    left join token t on t.id = s.token_id
    left join credit_lease l on l.holder = ${holder} and l.user_id = s.user_id and l.token_id = s.token_id`)
  const available = new Map(rows.map((row) => [keyOf(row.user_id, row.token_id), row.available]))
  const short = new Map<string, number>()
  for (const { user_id, token_id, quota } of overdrafts) {
    const key = keyOf(user_id, token_id)
    const missing = Math.min(quota, charged.get(key)! - (available.get(key) ?? 0))
    if (missing > 0) short.set(key, missing)
  }
  if (short.size > 0) throw new ShortAccounts(short)
}

/** Reduces charges by what the accounts do not hold, and records that as uncovered. */
export function withoutUncovered(
  settlements: Iterable<SettlementRecord>,
  short: ReadonlyMap<string, number>,
): { covered: SettlementRecord[]; uncovered: number } {
  const missing = new Map(short)
  let uncovered = 0
  const covered = Array.from(settlements, (settlement) => {
    const { overdrawn = 0, quota, log } = settlement
    const keys = accountsOf(settlement).map(({ userId, tokenId }) => keyOf(userId, tokenId))
    const cut = Math.min(overdrawn, Math.max(...keys.map((key) => missing.get(key) ?? 0)))
    if (cut <= 0) return settlement
    for (const key of keys) missing.set(key, (missing.get(key) ?? 0) - cut)
    uncovered += cut
    const before = typeof log.other.uncovered === 'number' ? log.other.uncovered : 0
    return {
      ...settlement,
      quota: quota - cut,
      overdrawn: overdrawn - cut,
      log: { ...log, other: { ...log.other, uncovered: before + cut } },
    }
  })
  return { covered, uncovered }
}
