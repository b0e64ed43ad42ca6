import { setImmediate as nextTurn } from 'node:timers/promises'
import { cleanJson, type Db, ensureUsageLogPartitions, jsonText } from '@tidegate/storage'
import { type RawBuilder, sql } from 'kysely'
import { isMissingPartition } from '../in-transaction.ts'
import type { SettlementRecord } from './settlement.ts'
import { type AccountSum, type BatchSums, type RollupSum, type SoldSum, createBatchSummary } from './summarize-batch.ts'

/** Identifies a batch forever: its process and its number. */
interface BatchId {
  holder: string
  number: number
}

/**
 * Applies a batch: leases, balances, tokens, channels, roll-ups and log rows change together or not at all. A batch
 * that was applied before changes nothing. Returns whether this call applied it.
 */
export async function settleBatch(db: Db, id: BatchId, settlements: Iterable<SettlementRecord>): Promise<boolean> {
  const batch = await prepareBatch(settlements)
  try {
    return await applyOnce(db, id, batch)
  } catch (error) {
    // The worker creates partitions days ahead, but a site without a worker must be able to bill too.
    if (!isMissingPartition(error)) throw error
    for (const day of batch.days) await ensureUsageLogPartitions(db, { from: new Date(day), days: 1 })
    return await applyOnce(db, id, batch)
  }
}

interface PreparedBatch {
  readonly size: number
  readonly quota: number
  readonly sums: BatchSums
  readonly taskCharges: readonly { id: number; quota: number }[]
  /** Unix milliseconds of the days that it has log rows of. */
  readonly days: readonly number[]
  /** A JSON array of the rows of the usage log. */
  readonly logRows: string
}

/** Settlements that are prepared before requests get a turn. */
const SETTLEMENTS_PER_TURN = 200
const DAY_MS = 86_400_000

/** One pass in which every settlement is short-lived: thousands of log rows at once would burden the garbage collector. */
async function prepareBatch(settlements: Iterable<SettlementRecord>): Promise<PreparedBatch> {
  const summary = createBatchSummary()
  const taskCharges: { id: number; quota: number }[] = []
  const days = new Set<number>()
  const rows: string[] = []
  let size = 0
  let quota = 0
  for (const settlement of settlements) {
    const { createdAt, taskId } = settlement.log
    summary.add(settlement)
    if (taskId !== undefined && settlement.quota > 0) taskCharges.push({ id: taskId, quota: settlement.quota })
    days.add(Math.floor(createdAt / DAY_MS) * DAY_MS)
    if (settlement.keepLog) rows.push(JSON.stringify(logRow(settlement)))
    quota += settlement.quota
    size += 1
    if (size % SETTLEMENTS_PER_TURN === 0) await nextTurn()
  }
  const sums = summary.sums()
  return { size, quota, sums, taskCharges, days: [...days], logRows: cleanJson(`[${rows.join(',')}]`) }
}

async function applyOnce(db: Db, id: BatchId, batch: PreparedBatch): Promise<boolean> {
  const { sums, logRows } = batch
  return db.transaction().execute(async (transaction) => {
    if (!(await claimBatch(transaction, id, batch))) return false
    // Half of the work, and it needs no account locks, so it runs first.
    await insertLogs(transaction, logRows)
    // Accounts before leases, as wherever leases are taken or returned, to avoid deadlocks.
    await lockAccounts(transaction, sums)
    const uncovered = await takeFromLeases(transaction, id.holder, sums.accounts)
    await addToUsers(transaction, sums, uncovered)
    await addToTokens(transaction, sums, uncovered)
    await addToChannels(transaction, sums)
    await addToRollups(transaction, id.holder, sums.rollups)
    await addToSold(transaction, id.holder, sums.sold)
    await recordTaskCharges(transaction, batch)
    return true
  })
}

/**
 * Batches of a process are applied in order, so a higher number means that this one was applied, even if its row is
 * gone.
 */
async function claimBatch(db: Db, { holder, number }: BatchId, { size, quota }: PreparedBatch): Promise<boolean> {
  const claimed = await sql`
    insert into settlement_batch (holder, batch, receipts, quota)
    select ${holder}, ${number}::bigint, ${size}::integer, ${quota}::bigint
    where not exists (select from settlement_batch where holder = ${holder} and batch >= ${number}::bigint)
    on conflict do nothing`.execute(db)
  return claimed.numAffectedRows === 1n
}

async function lockAccounts(db: Db, { users, tokens }: BatchSums): Promise<void> {
  await sql`select from "user" where id = any(${users.map(({ id }) => id)}) order by id for update`.execute(db)
  if (tokens.length === 0) return
  await sql`select from token where id = any(${tokens.map(({ id }) => id)}) order by id for update`.execute(db)
}

/**
 * Takes spending out of the leases of the process. Returns what they did not cover, because they were reclaimed
 * meanwhile: that is charged to the accounts.
 */
async function takeFromLeases(db: Db, holder: string, accounts: readonly AccountSum[]): Promise<AccountSum[]> {
  const { rows: leases } = await sql<{ user_id: number; token_id: number; amount: number }>`
    select user_id, token_id, amount from credit_lease
    where holder = ${holder} and user_id = any(${[...new Set(accounts.map((account) => account.user_id))]})
    for update`.execute(db)
  const held = new Map(leases.map((lease) => [`${lease.user_id}:${lease.token_id}`, lease.amount]))
  const drawn: AccountSum[] = []
  const uncovered: AccountSum[] = []
  for (const account of accounts) {
    const fromLease = Math.min(account.quota, held.get(`${account.user_id}:${account.token_id}`) ?? 0)
    if (fromLease > 0) drawn.push({ ...account, quota: fromLease })
    if (fromLease < account.quota) uncovered.push({ ...account, quota: account.quota - fromLease })
  }
  if (drawn.length > 0) {
    await sql`
      update credit_lease l set amount = l.amount - s.quota, updated_at = now()
      from json_to_recordset(${json(drawn)}) as s(user_id bigint, token_id bigint, quota bigint)
      where l.holder = ${holder} and l.user_id = s.user_id and l.token_id = s.token_id`.execute(db)
  }
  return uncovered
}

async function addToUsers(db: Db, { users }: BatchSums, uncovered: readonly AccountSum[]): Promise<void> {
  const owed = new Map(uncovered.filter(({ token_id }) => token_id === 0).map(({ user_id, quota }) => [user_id, quota]))
  const rows = users.map((user) => ({ ...user, owed: owed.get(user.id) ?? 0 }))
  await sql`
    update "user" u set quota = u.quota - s.owed, used_quota = u.used_quota + s.quota,
      request_count = u.request_count + s.requests
    from json_to_recordset(${json(rows)}) as s(id bigint, owed bigint, quota bigint, requests bigint)
    where u.id = s.id`.execute(db)
}

/** A limited token without credit, neither in its account nor in a lease, is exhausted. */
async function addToTokens(db: Db, { tokens }: BatchSums, uncovered: readonly AccountSum[]): Promise<void> {
  if (tokens.length === 0) return
  const owed = new Map(
    uncovered.filter(({ token_id }) => token_id !== 0).map(({ token_id, quota }) => [token_id, quota]),
  )
  const rows = tokens.map((token) => ({ ...token, owed: owed.get(token.id) ?? 0 }))
  await sql`
    update token t set remain_quota = t.remain_quota - s.owed, used_quota = t.used_quota + s.quota,
      drawn_quota = t.drawn_quota + s.drawn,
      accessed_at = greatest(t.accessed_at, to_timestamp(s.accessed / 1000.0)),
      status = case when t.status = 1 and not t.unlimited_quota and t.remain_quota - s.owed <= 0
        and not exists (select from credit_lease l where l.user_id = t.user_id and l.token_id = t.id and l.amount > 0)
        then 4 else t.status end
    from json_to_recordset(${json(rows)}) as s(id bigint, owed bigint, quota bigint, drawn bigint,
      accessed bigint)
    where t.id = s.id`.execute(db)
}

async function addToChannels(db: Db, { channels }: BatchSums): Promise<void> {
  if (channels.length === 0) return
  await sql`
    with locked as (select id from channel where id = any(${channels.map(({ id }) => id)}) order by id for update)
    update channel c set used_quota = c.used_quota + s.quota
    from json_to_recordset(${json(channels)}) as s(id bigint, quota bigint), locked
    where c.id = s.id and locked.id = c.id`.execute(db)
}

function logRow({ requestId, userId, tokenId, quota, promptTokens, completionTokens, log }: SettlementRecord) {
  return {
    created_at: log.createdAt,
    type: log.type,
    user_id: userId,
    username: log.username,
    token_id: tokenId,
    token_name: log.tokenName,
    model_name: log.modelName,
    quota,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    use_time_ms: log.useTimeMs,
    is_stream: log.isStream,
    channel_id: log.channelId,
    group: log.group,
    client_ip: log.clientIp,
    request_id: requestId,
    content: log.content,
    other: log.other,
  }
}

async function insertLogs(db: Db, rows: string): Promise<void> {
  if (rows === '[]') return
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, quota, prompt_tokens,
      completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content, other)
    select to_timestamp(created_at / 1000.0), type, user_id, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content,
      other
    from json_to_recordset(${rows}::json) as r(created_at bigint, type smallint, user_id bigint, username text,
      token_id bigint, token_name text, model_name text, quota bigint, prompt_tokens bigint, completion_tokens bigint,
      use_time_ms integer, is_stream boolean, channel_id bigint, "group" text, client_ip text, request_id text,
      content text, other jsonb)`.execute(db)
}

/** Records the charge on each task in the same transaction, so that a refund of a failed task knows the amount. */
async function recordTaskCharges(db: Db, { taskCharges }: PreparedBatch): Promise<void> {
  const paid = taskCharges.toSorted((a, b) => a.id - b.id)
  if (paid.length === 0) return
  await sql`
    with locked as (select id from task where id = any(${paid.map(({ id }) => id)}) order by id for update)
    update task t set charged = t.charged + s.quota
    from json_to_recordset(${json(paid)}) as s(id bigint, quota bigint), locked
    where t.id = s.id and locked.id = t.id`.execute(db)
}

/**
 * Adds a batch to all usage roll-ups: by user and hour, by site, channel and user. The accounts are locked, so rows of
 * users have one writer at a time; the others are locked in one order.
 */
async function addToRollups(db: Db, holder: string, rollups: readonly RollupSum[]): Promise<void> {
  const shard = shardOf(holder)
  await sql`
    with batch as (
      select user_id, at as hour, (at at time zone 'UTC')::date as day, model_name, token_name, "group", channel_id,
        requests, quota, prompt_tokens, completion_tokens, prompt_tokens + completion_tokens as tokens, logged_requests,
        logged_quota
      from json_to_recordset(${json(rollups)}) as s(user_id bigint, hour bigint, model_name text, token_name text,
        "group" text, channel_id bigint, requests bigint, quota bigint, prompt_tokens bigint,
        completion_tokens bigint, logged_requests bigint, logged_quota bigint), to_timestamp(hour / 1000.0) at
    ), by_user_and_hour as (
      insert into usage_rollup as r (user_id, hour, model_name, requests, quota, prompt_tokens, completion_tokens,
        logged_requests, logged_quota)
      select user_id, hour, model_name, sum(requests), sum(quota), sum(prompt_tokens), sum(completion_tokens),
        sum(logged_requests), sum(logged_quota)
      from batch group by 1, 2, 3 order by 1, 2, 3
      on conflict (user_id, hour, model_name) do update set
        requests = r.requests + excluded.requests, quota = r.quota + excluded.quota,
        prompt_tokens = r.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = r.completion_tokens + excluded.completion_tokens,
        logged_requests = r.logged_requests + excluded.logged_requests,
        logged_quota = r.logged_quota + excluded.logged_quota
    ), by_user as (
      insert into user_day as r (user_id, day, model_name, token_name, "group", requests, quota, tokens)
      select user_id, day, model_name, token_name, "group", sum(requests), sum(quota), sum(tokens)
      from batch group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (user_id, day, model_name, token_name, "group") do update set ${addedUse}
    ), by_spender as (
      insert into spender_day as r (day, user_id, requests, quota, tokens)
      select day, user_id, sum(requests), sum(quota), sum(tokens) from batch group by 1, 2 order by 1, 2
      on conflict (day, user_id) do update set ${addedUse}
    ), by_channel as (
      insert into channel_day as r (channel_id, day, model_name, "group", shard, requests, quota, tokens)
      select channel_id, day, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
      from batch group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (channel_id, day, model_name, "group", shard) do update set ${addedUse}
    ), by_day as (
      insert into site_day as r (day, model_name, "group", shard, requests, quota, tokens)
      select day, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
      from batch group by 1, 2, 3 order by 1, 2, 3
      on conflict (day, model_name, "group", shard) do update set ${addedUse}
    )
    insert into site_hour as r (hour, model_name, "group", shard, requests, quota, tokens)
    select hour, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
    from batch group by 1, 2, 3 order by 1, 2, 3
    on conflict (hour, model_name, "group", shard) do update set ${addedUse}`.execute(db)
}

const addedUse = sql`requests = r.requests + excluded.requests, quota = r.quota + excluded.quota,
  tokens = r.tokens + excluded.tokens`

const COUNTS = [
  'requests',
  'quota',
  'calls',
  'pieces',
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_in',
  'output',
  'audio_out',
] as const satisfies readonly (keyof SoldSum)[]

const columns = sql.join(COUNTS.map((name) => sql.ref(name)))
const typed = sql.join(
  COUNTS.map((name) => sql`${sql.ref(name)} ${name === 'pieces' ? sql`double precision` : sql`bigint`}`),
)
const addedUnits = sql.join(
  COUNTS.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)} + excluded.${sql.ref(name)}`),
)

/** Adds a batch to the units sold by price and group, which price simulations use. */
async function addToSold(db: Db, holder: string, sold: readonly SoldSum[]): Promise<void> {
  await sql`
    insert into sold_day as r (day, price_name, "group", shard, ${columns})
    select (to_timestamp(day / 1000.0) at time zone 'UTC')::date, price_name, "group", ${shardOf(holder)}, ${columns}
    from json_to_recordset(${json(sold)}) as s(day bigint, price_name text, "group" text, ${typed})
    order by 1, 2, 3
    on conflict (day, price_name, "group", shard) do update set ${addedUnits}`.execute(db)
}

/**
 * Removes batches that no journal can contain any more. The newest of each process stays and stands for the older ones.
 * A seal keeps the sums of removed batches, so it must be old enough as well.
 */
export async function purgeBatches(db: Db, before: Date): Promise<void> {
  await sql`
    delete from settlement_batch b where applied_at < ${before}
    and exists (select from ledger_seal where id = b.seal and sealed_at < ${before})
    and exists (select from settlement_batch newer where newer.holder = b.holder and newer.batch > b.batch)`.execute(db)
}

/** Site-wide rows are split by process into this many shards, to avoid hot rows. */
const SHARDS = 16

function shardOf(holder: string): RawBuilder<number> {
  return sql<number>`(abs(hashtext(${holder}) % ${SHARDS}))::smallint`
}

/** One JSON parameter for many rows: a parameter per value would be slower. */
function json(rows: readonly object[]): RawBuilder<string> {
  return sql`${jsonText(rows)}::json`
}
