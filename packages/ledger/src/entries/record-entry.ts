import { type Db, jsonText, lowBalances } from '@tidegate/storage'
import { sql } from 'kysely'

/** Kinds of balance changes that are not requests. */
export type EntryKind =
  | 'setup_grant'
  | 'signup_gift'
  | 'invite_reward'
  | 'invite_transfer'
  | 'rebate'
  | 'top_up'
  | 'redemption'
  | 'check_in'
  | 'admin_change'
  | 'refund'
  | 'top_up_refund'
  | 'top_up_dispute'
  | 'top_up_failed'
  | 'rebate_reversal'
  | 'token_limit'

export interface LedgerEntry {
  userId: number
  /** Omit it for the user's own account; a limited token has its own account. */
  tokenId?: number
  kind: EntryKind
  /** Positive adds credit. */
  amount: number
  /** Names a cause that may be recorded only once, such as the trade number of a payment. */
  reference?: string
  actorId?: number | null
  details?: Record<string, unknown>
}

/** Changes a balance and writes the entry that explains it. Call it in the transaction of the cause. */
export async function recordEntry(db: Db, entry: LedgerEntry): Promise<void> {
  await db
    .insertInto('ledger_entry')
    .values({
      user_id: entry.userId,
      token_id: entry.tokenId ?? 0,
      kind: entry.kind,
      amount: entry.amount,
      reference: entry.reference ?? '',
      actor_id: entry.actorId ?? null,
      details: jsonText(entry.details ?? {}),
    })
    .execute()
  await addToAccount(db, entry.userId, entry.tokenId ?? 0, entry.amount)
}

/** Adds to or takes from a balance without checking it. */
export async function addToAccount(db: Db, userId: number, tokenId: number, amount: number): Promise<void> {
  const account =
    tokenId === 0
      ? db
          .updateTable('user')
          .set({ quota: sql`quota + ${amount}`, low_balance_since: lowBalances.markAfter(amount) })
          .where('id', '=', userId)
      : db
          .updateTable('token')
          .set({ remain_quota: sql`remain_quota + ${amount}` })
          .where('id', '=', tokenId)
  await account.execute()
}

/** Takes from a balance if it is sufficient; the check is in WHERE, so concurrent callers cannot overdraw. */
export async function takeFromAccount(db: Db, userId: number, tokenId: number, amount: number): Promise<boolean> {
  const account =
    tokenId === 0
      ? db
          .updateTable('user')
          .set({ quota: sql`quota - ${amount}` })
          .where('id', '=', userId)
          .where('quota', '>=', amount)
      : db
          .updateTable('token')
          .set({ remain_quota: sql`remain_quota - ${amount}` })
          .where('id', '=', tokenId)
          .where('user_id', '=', userId)
          .where('remain_quota', '>=', amount)
  const { numUpdatedRows } = await account.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Limits the size of a statement. */
const BATCH_ROWS = 5_000

/**
 * Records many entries like `recordEntry`, in few statements. Call it in the transaction of the causes: if one was
 * recorded before, all are rejected.
 */
export async function recordEntries(db: Db, entries: readonly LedgerEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += BATCH_ROWS) {
    const part = entries.slice(from, from + BATCH_ROWS)
    await writeEntries(db, part)
    await addToUsers(
      db,
      sumByAccount(part.filter(({ tokenId }) => !tokenId).map(({ userId, amount }) => [userId, amount])),
    )
    await addToTokens(db, sumByAccount(part.flatMap(({ tokenId, amount }) => (tokenId ? [[tokenId, amount]] : []))))
  }
}

async function writeEntries(db: Db, entries: readonly LedgerEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    user_id: entry.userId,
    token_id: entry.tokenId ?? 0,
    kind: entry.kind,
    amount: entry.amount,
    reference: entry.reference ?? '',
    actor_id: entry.actorId ?? null,
    details: entry.details ?? {},
  }))
  await sql`
    insert into ledger_entry (user_id, token_id, kind, amount, reference, actor_id, details)
    select user_id, token_id, kind, amount, reference, actor_id, details
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as moved (user_id bigint, token_id bigint, kind text,
      amount bigint, reference text, actor_id bigint, details jsonb)`.execute(db)
}

/** The total change of an account: one statement can update a row only once. */
interface Sum {
  id: number
  by: number
}

function sumByAccount(amounts: readonly (readonly [id: number, amount: number])[]): Sum[] {
  const sums = new Map<number, number>()
  for (const [id, amount] of amounts) sums.set(id, (sums.get(id) ?? 0) + amount)
  return [...sums].map(([id, by]) => ({ id, by }))
}

async function addToUsers(db: Db, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return
  await lockInOrder(db, 'user', sums)
  await sql`
    update "user" set quota = quota + moved.by, low_balance_since = ${lowBalances.markAfter(sql<number>`moved.by`)}
    from ${rowsOf(sums)} where "user".id = moved.id`.execute(db)
}

async function addToTokens(db: Db, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return
  await lockInOrder(db, 'token', sums)
  await sql`
    update token set remain_quota = remain_quota + moved.by
    from ${rowsOf(sums)} where token.id = moved.id`.execute(db)
}

/** The lower id first, as in settlement, and before the leases are summed. */
async function lockInOrder(db: Db, table: 'user' | 'token', sums: readonly Sum[]): Promise<void> {
  const ids = sums.map(({ id }) => id)
  await sql`
    select from ${sql.table(table)} where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
}

function rowsOf(sums: readonly Sum[]) {
  return sql`jsonb_to_recordset(${jsonText(sums)}::jsonb) as moved (id bigint, by bigint)`
}
