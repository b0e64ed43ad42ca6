import { type RawBuilder, sql } from 'kysely'
import { type Db, inPipeline } from '@tidegate/storage'

/** An account that credit can be leased from: a user's own (token 0) or a limited token's. */
export interface AccountId {
  readonly userId: number
  readonly tokenId: number
}

const BATCH_HOLDER = 'batch:'

/** Holds the credit that is reserved for a batch at a provider. It is not a process. */
export function batchHolder(batchId: string): string {
  return `${BATCH_HOLDER}${batchId}`
}

/** How much of an account a process requests. */
export interface LeaseAmounts {
  /** What the next request needs. */
  readonly need: number
  /** The preferred amount. */
  readonly want: number
  /** The smallest useful amount if the account does not hold the need; the need by default. */
  readonly minimum?: number
}

/** Where leases are taken from and returned to. */
export interface LeaseSource {
  /** Resolves when the source responds. */
  ping(): Promise<void>
  /** Returns 0 if the account does not hold the minimum. */
  take(account: AccountId, amounts: LeaseAmounts): Promise<number>
  returnCredit(returned: readonly (AccountId & { amount: number })[]): Promise<void>
  /** Returns everything the source records for the accounts; nothing of it is in use. */
  returnAll(accounts: readonly AccountId[]): Promise<void>
  /** Requests idle credit of the account from other processes. False if none holds any. */
  recall(account: AccountId): Promise<boolean>
}

export interface LeaseRequest extends AccountId, LeaseAmounts {}

export interface HolderLeaseRequest extends LeaseRequest {
  holder: string
}

/** Beyond its need, one process takes at most one tenth of a balance, so that others find some too. */
const MAX_SHARE_DIVISOR = 10

/**
 * Moves credit from an account to the lease of a process and returns the amount: at least the need, or the whole
 * balance if that is at least the minimum, else nothing. The check is part of the statement, so concurrent processes
 * cannot overdraw; a small balance is leased exactly.
 */
export async function takeLease(db: Db, request: HolderLeaseRequest): Promise<number> {
  const { holder, userId, tokenId, need, want, minimum = need } = request
  const account = tokenId === 0 ? sql`"user"` : sql`token`
  const balance = tokenId === 0 ? sql.ref('quota') : sql.ref('remain_quota')
  const id = tokenId === 0 ? userId : tokenId
  const { rows } = await sql<{ amount: number }>`
    with given as (
      select id,
        least(${balance}, greatest(${need}::bigint, least(${want}::bigint, ${balance} / ${sql.lit(MAX_SHARE_DIVISOR)}))) as amount
      from ${account} where id = ${id} and ${balance} >= ${minimum}::bigint for update
    ), taken as (
      update ${account} a set ${balance} = a.${balance} - given.amount from given where a.id = given.id
      returning given.amount
    )
    insert into credit_lease as l (holder, user_id, token_id, amount)
    select ${holder}, ${userId}, ${tokenId}, amount from taken
    on conflict (holder, user_id, token_id) do update set amount = l.amount + excluded.amount, updated_at = now()
    returning (select amount from taken) as amount`.execute(db)
  return rows[0]?.amount ?? 0
}

/**
 * Like `takeLease` for several accounts. Does not wait: it skips locked accounts, accounts that do not hold the need,
 * and all but the first request for one account.
 */
export async function takeLeases(
  db: Db,
  holder: string,
  requests: readonly LeaseRequest[],
): Promise<(number | undefined)[]> {
  const firstRequests = new Map<string, LeaseRequest>()
  for (const request of requests) if (!firstRequests.has(keyOf(request))) firstRequests.set(keyOf(request), request)
  const distinct = Array.from(firstRequests.values(), ({ userId, tokenId, need, want }) => ({
    userId,
    tokenId,
    need,
    want,
  }))
  const requestRows = sql`json_to_recordset(${JSON.stringify(distinct)}::json)
    as r("userId" bigint, "tokenId" bigint, need bigint, want bigint)`
  const share = (balance: string) =>
    sql`greatest(r.need, least(r.want, ${sql.ref(balance)} / ${sql.lit(MAX_SHARE_DIVISOR)})) as amount`
  const { rows } = await sql<LeaseRow>`
    with user_gives as (
      select u.id, ${share('u.quota')} from ${requestRows} join "user" u on u.id = r."userId"
      where r."tokenId" = 0 and u.quota >= r.need order by u.id for update of u skip locked
    ), token_gives as (
      select t.id, r."userId" as user_id, ${share('t.remain_quota')} from ${requestRows} join token t on t.id = r."tokenId"
      where r."tokenId" <> 0 and t.remain_quota >= r.need order by t.id for update of t skip locked
    ), of_users as (
      update "user" u set quota = u.quota - g.amount from user_gives g where u.id = g.id
      returning u.id as user_id, 0::bigint as token_id, g.amount
    ), of_tokens as (
      update token t set remain_quota = t.remain_quota - g.amount from token_gives g where t.id = g.id
      returning g.user_id, t.id as token_id, g.amount
    ), taken as (
      select * from of_users union all select * from of_tokens
    ), leased as (
      insert into credit_lease as l (holder, user_id, token_id, amount)
      select ${holder}, user_id, token_id, amount from taken
      on conflict (holder, user_id, token_id) do update set amount = l.amount + excluded.amount, updated_at = now()
    )
    select user_id, token_id, amount from taken`.execute(db)
  const amounts = new Map(rows.map((row) => [keyOf({ userId: row.user_id, tokenId: row.token_id }), row.amount]))
  return requests.map((request) => {
    const key = keyOf(request)
    return firstRequests.get(key) === request ? amounts.get(key) : undefined
  })
}

export function keyOf({ userId, tokenId }: AccountId): string {
  return `${userId}:${tokenId}`
}

/**
 * Returns unspent credit to its accounts: as much as the leases hold, which is nothing after they were reclaimed.
 * Credit leaves a lease in the same statement in which it arrives, so none is created.
 */
export async function returnLeases(
  db: Db,
  holder: string,
  returned: readonly (AccountId & { amount: number })[],
): Promise<void> {
  const rows = returned.map(({ userId, tokenId, amount }) => ({ user_id: userId, token_id: tokenId, amount }))
  await inPipeline(db, ({ commit }) =>
    commit([
      ...lockAccounts(rows),
      returnToAccounts(sql`
        update credit_lease l set amount = l.amount - s.amount, updated_at = now() from ${asRows(rows)}
        where l.holder = ${holder} and l.user_id = s.user_id and l.token_id = s.token_id and l.amount >= s.amount
        returning l.user_id, l.token_id, s.amount`),
      sql`delete from credit_lease where holder = ${holder} and amount = 0`,
    ]),
  )
}

/** Returns the whole leases of accounts. */
export async function releaseLeases(db: Db, holder: string, accounts: readonly AccountId[]): Promise<void> {
  const rows = accounts.map(({ userId, tokenId }) => ({ user_id: userId, token_id: tokenId, amount: 0 }))
  await inPipeline(db, ({ commit }) =>
    commit([
      ...lockAccounts(rows),
      returnToAccounts(sql`
        delete from credit_lease l using ${asRows(rows)}
        where l.holder = ${holder} and l.user_id = s.user_id and l.token_id = s.token_id
        returning l.user_id, l.token_id, l.amount`),
    ]),
  )
}

/** Returns all leases of a process: its journal was replayed, or its heartbeat expired. Returns their number. */
export async function releaseHolder(db: Db, holder: string): Promise<number> {
  return inPipeline(db, async ({ send, commit }) => {
    const held = await send(sql<LeaseRow>`
      select user_id, token_id, amount from credit_lease where holder = ${holder}`)
    const locks = lockAccounts(held.rows)
    const results = await commit([
      ...locks,
      returnToAccounts(sql`delete from credit_lease where holder = ${holder} returning user_id, token_id, amount`),
      sql`delete from gateway_process where holder = ${holder}`,
    ])
    const [returned] = results[locks.length]!.rows as { leases: number }[]
    return returned!.leases
  })
}

/** Whether another process holds credit of the account. The reservation of a batch cannot be recalled. */
export async function isLeasedElsewhere(db: Db, holder: string, { userId, tokenId }: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('credit_lease')
    .select('holder')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .where('holder', '<>', holder)
    .where('holder', 'not like', `${BATCH_HOLDER}%`)
    .where('amount', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Users whose balance is below zero while the process holds credit of them or of their tokens. */
export async function findOverdrawnLeases(db: Db, holder: string): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct l.user_id from credit_lease l
      join "user" u on u.id = l.user_id left join token t on t.id = l.token_id
    where l.holder = ${holder} and l.amount > 0 and (u.quota < 0 or t.remain_quota < 0)`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

interface LeaseRow {
  user_id: number
  token_id: number
  amount: number
}

function asRows(rows: readonly LeaseRow[]) {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as s(user_id bigint, token_id bigint, amount bigint)`
}

/** Locks accounts before leases, users before tokens, each by id, as everywhere. */
function lockAccounts(rows: readonly Omit<LeaseRow, 'amount'>[]) {
  const users = [...new Set(rows.map(({ user_id }) => user_id))]
  const tokens = [...new Set(rows.map(({ token_id }) => token_id))].filter((id) => id !== 0)
  return [
    sql`select from "user" where id = any(${users}) order by id for update`,
    ...(tokens.length > 0 ? [sql`select from token where id = any(${tokens}) order by id for update`] : []),
  ]
}

/** Adds to the accounts what a statement takes out of leases. Returns the number of leases with credit. */
function returnToAccounts(taken: RawBuilder<unknown>) {
  return sql`
    with taken as (${taken}),
    to_users as (
      update "user" u set quota = u.quota + taken.amount from taken where taken.token_id = 0 and u.id = taken.user_id
    ), to_tokens as (
      update token t set remain_quota = t.remain_quota + taken.amount from taken where t.id = taken.token_id
    )
    select count(*) as leases from taken where amount > 0`
}
