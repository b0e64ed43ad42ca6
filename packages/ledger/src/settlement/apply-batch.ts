import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type ChargedLogRow,
  type Db,
  ensureUsageLogPartitions,
  inPipeline,
  jsonText,
  type LogWriter,
  tableLogWriter,
} from '@tidegate/storage'
import { type RawBuilder, sql } from 'kysely'
import { isMissingPartition } from '../in-transaction.ts'
import { returnLeases } from '../leases/lease-rows.ts'
import { ChargedLines, claimLines, type LineCharge, withoutCharged } from './charged-lines.ts'
import type { SettlementRecord } from './settlement.ts'
import { checkOverdrafts, createOverdraftSums, ShortAccounts, withoutUncovered } from './overdrafts.ts'
import { type AccountSum, type BatchSums, type RollupSum, type SoldSum, createBatchSummary } from './summarize-batch.ts'

/** Identifies a batch forever: its process and its number. */
interface BatchId {
  holder: string
  number: number
  /** What numbers are counted in. Missing: the batches of the process. */
  series?: string
  /** The batch before it. Unless this is the last one in the database, nothing is applied. */
  after?: number
  /** Where its log rows are written. Missing: the table of the log. */
  logs?: LogWriter | undefined
  /** Its requests with a checkpoint in the journal. */
  checkpointed?: readonly string[] | undefined
  /** Called with what accounts could not pay of it. */
  onUncovered?: ((amount: number) => void) | undefined
}

/**
 * Applies a batch: leases, balances, tokens, channels, roll-ups and log rows change together or not at all. A batch
 * that was applied before changes nothing. Returns whether this call applied it. `settlements` may be iterated again:
 * without the lines of batches that were charged before.
 */
export async function settleBatch(db: Db, id: BatchId, settlements: Iterable<SettlementRecord>): Promise<boolean> {
  const batch = await prepareBatch(id, settlements)
  try {
    return await applyPrepared(db, id, batch)
  } catch (error) {
    if (error instanceof ShortAccounts) {
      const { covered, uncovered } = withoutUncovered(settlements, error.short)
      const isApplied = await settleBatch(db, id, covered)
      if (isApplied) id.onUncovered?.(uncovered)
      return isApplied
    }
    if (!(error instanceof ChargedLines)) throw error
    const { left, dropped } = withoutCharged(settlements, error.fresh)
    const isApplied = await settleBatch(db, id, left)
    if (isApplied) await returnLeases(db, id.holder, dropped)
    return isApplied
  }
}

async function applyPrepared(db: Db, id: BatchId, batch: PreparedBatch): Promise<boolean> {
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
  readonly lineCharges: readonly LineCharge[]
  readonly size: number
  readonly quota: number
  readonly sums: BatchSums
  readonly taskCharges: readonly { id: number; quota: number }[]
  /** What no lease covered, by account. */
  readonly overdrafts: readonly AccountSum[]
  /** Unix milliseconds of the days that it has log rows of. */
  readonly days: readonly number[]
  /** Statements that store its log rows. */
  readonly insertLogs: readonly RawBuilder<unknown>[]
}

/** Settlements that are prepared before requests get a turn. */
const SETTLEMENTS_PER_TURN = 200
const DAY_MS = 86_400_000

/** One pass in which every settlement is short-lived: thousands of log rows at once would burden the garbage collector. */
async function prepareBatch(id: BatchId, settlements: Iterable<SettlementRecord>): Promise<PreparedBatch> {
  const summary = createBatchSummary()
  const taskCharges: { id: number; quota: number }[] = []
  const lineCharges: LineCharge[] = []
  const overdrafts = createOverdraftSums()
  const days = new Set<number>()
  const { series = id.holder, number, logs = tableLogWriter, checkpointed = [] } = id
  const rows = logs.begin({ series, batch: number, checkpointed })
  let size = 0
  let quota = 0
  for (const settlement of settlements) {
    const { createdAt, taskId, batchLine } = settlement.log
    summary.add(settlement)
    if (taskId !== undefined && settlement.quota > 0) taskCharges.push({ id: taskId, quota: settlement.quota })
    overdrafts.add(settlement)
    if (batchLine) lineCharges.push({ ...batchLine, quota: settlement.quota })
    days.add(Math.floor(createdAt / DAY_MS) * DAY_MS)
    if (settlement.keepLog) rows.add(logRow(settlement))
    quota += settlement.quota
    size += 1
    if (size % SETTLEMENTS_PER_TURN === 0) await nextTurn()
  }
  const sums = summary.sums()
  const charges = { taskCharges, lineCharges, overdrafts: overdrafts.sums() }
  return { size, quota, sums, ...charges, days: [...days], insertLogs: await rows.statements() }
}

function applyOnce(db: Db, id: BatchId, batch: PreparedBatch): Promise<boolean> {
  const { sums } = batch
  return inPipeline(db, async ({ send, commit }) => {
    if ((await send(claimBatch(id, batch))).numAffectedRows !== 1n) return false
    if (batch.lineCharges.length > 0) await claimLines(send, batch.lineCharges)
    if (batch.overdrafts.length > 0) await checkOverdrafts(send, id.holder, batch)
    await commit([
      // Half of the work, and it needs no account locks, so it runs first.
      ...batch.insertLogs,
      // Accounts before leases, as wherever leases are taken or returned, to avoid deadlocks.
      ...lockAccounts(id.holder, sums),
      chargeAccounts(id.holder, sums),
      ...addToChannels(sums),
      addToRollups(id.holder, sums.rollups),
      addToSold(id.holder, sums.sold),
      ...recordTaskCharges(batch),
      ...recordBatchCharges(batch),
    ])
    return true
  })
}

/**
 * Batches of a process are applied in order, so a higher number means that this one was applied, even if its row is
 * gone.
 */
function claimBatch({ holder, number, series = holder, after }: BatchId, { size, quota }: PreparedBatch) {
  const isNext = after === undefined ? sql`last < ${number}::bigint` : sql`last = ${after}::bigint`
  return sql`
    insert into settlement_batch (holder, batch, receipts, quota)
    select ${series}, ${number}::bigint, ${size}::integer, ${quota}::bigint
    from (select coalesce(max(batch), 0) as last from settlement_batch where holder = ${series}) applied
    where ${isNext}
    on conflict do nothing`
}

function lockAccounts(holder: string, { accounts, users, tokens }: BatchSums) {
  const userIds = users.map(({ id }) => id)
  const tokenIds = tokens.map(({ id }) => id)
  return [
    sql`select from "user" where id = any(${userIds}) order by id for update`,
    ...(tokenIds.length > 0 ? [sql`select from token where id = any(${tokenIds}) order by id for update`] : []),
    sql`
      select from credit_lease
      where holder = ${holder} and user_id = any(${[...new Set(accounts.map((account) => account.user_id))]})
      for update`,
  ]
}

/**
 * Takes spending out of the leases of the process. What they do not cover, because they were reclaimed meanwhile, is
 * charged to the accounts. A limited token without credit, neither in its account nor in a lease, is exhausted.
 */
function chargeAccounts(holder: string, { accounts, users, tokens }: BatchSums) {
  return sql`
    with charge as materialized (
      select s.user_id, s.token_id, leased, s.quota - leased as owed
      from json_to_recordset(${json(accounts)}) as s(user_id bigint, token_id bigint, quota bigint)
      left join credit_lease l on l.holder = ${holder} and l.user_id = s.user_id and l.token_id = s.token_id
      cross join lateral (select least(s.quota, coalesce(l.amount, 0)) as leased) of_lease
    ), charged_leases as (
      update credit_lease l set amount = l.amount - c.leased, updated_at = now() from charge c
      where l.holder = ${holder} and l.user_id = c.user_id and l.token_id = c.token_id and c.leased > 0
    ), charged_users as (
      update "user" u set quota = u.quota - c.owed, used_quota = u.used_quota + s.quota,
        request_count = u.request_count + s.requests
      from json_to_recordset(${json(users)}) as s(id bigint, quota bigint, requests bigint)
      join charge c on c.user_id = s.id and c.token_id = 0
      where u.id = s.id
    )
    update token t set remain_quota = t.remain_quota - s.owed, used_quota = t.used_quota + s.quota,
      drawn_quota = t.drawn_quota + s.drawn,
      accessed_at = greatest(t.accessed_at, to_timestamp(s.accessed / 1000.0)),
      status = case when t.status = 1 and not t.unlimited_quota and t.remain_quota - s.owed <= 0
        and not exists (select from credit_lease l where l.user_id = t.user_id and l.token_id = t.id
          and l.amount > case l.holder when ${holder} then s.leased else 0 end)
        then 4 else t.status end
    from (
      select s.*, coalesce(c.owed, 0) as owed, coalesce(c.leased, 0) as leased
      from json_to_recordset(${json(tokens)}) as s(id bigint, quota bigint, drawn bigint, accessed bigint)
      left join charge c on c.token_id = s.id
    ) s
    where t.id = s.id`
}

function addToChannels({ channels }: BatchSums) {
  if (channels.length === 0) return []
  const update = sql`
    with locked as (select id from channel where id = any(${channels.map(({ id }) => id)}) order by id for update)
    update channel c set used_quota = c.used_quota + s.quota
    from json_to_recordset(${json(channels)}) as s(id bigint, quota bigint), locked
    where c.id = s.id and locked.id = c.id`
  return [update]
}

function logRow({
  requestId,
  userId,
  tokenId,
  quota,
  promptTokens,
  completionTokens,
  log,
}: SettlementRecord): ChargedLogRow {
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

/** Records the charge on each task in the same transaction, so that a refund of a failed task knows the amount. */
function recordTaskCharges({ taskCharges }: PreparedBatch) {
  const paid = taskCharges.toSorted((a, b) => a.id - b.id)
  if (paid.length === 0) return []
  const update = sql`
    with locked as (select id from task where id = any(${paid.map(({ id }) => id)}) order by id for update)
    update task t set charged = t.charged + s.quota
    from json_to_recordset(${json(paid)}) as s(id bigint, quota bigint), locked
    where t.id = s.id and locked.id = t.id`
  return [update]
}

/** Adds charges to the cost of their batches. */
function recordBatchCharges({ lineCharges }: PreparedBatch) {
  if (lineCharges.length === 0) return []
  const update = sql`
    with sums as (
      select "batchId" as id, sum(quota) as quota
      from json_to_recordset(${json(lineCharges)}) as s("batchId" text, quota bigint) group by 1
    ), locked as (select id from batch where id in (select id from sums) order by id for no key update)
    update batch b set charged = b.charged + s.quota from sums s, locked where b.id = s.id and locked.id = b.id`
  return [update]
}

/**
 * Adds a batch to all usage roll-ups: by user and hour, by site, channel and user. The accounts are locked, so rows of
 * users have one writer at a time; the others are locked in one order.
 */
function addToRollups(holder: string, rollups: readonly RollupSum[]) {
  const shard = shardOf(holder)
  return sql`
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
    on conflict (hour, model_name, "group", shard) do update set ${addedUse}`
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
function addToSold(holder: string, sold: readonly SoldSum[]) {
  return sql`
    insert into sold_day as r (day, price_name, "group", shard, ${columns})
    select (to_timestamp(day / 1000.0) at time zone 'UTC')::date, price_name, "group", ${shardOf(holder)}, ${columns}
    from json_to_recordset(${json(sold)}) as s(day bigint, price_name text, "group" text, ${typed})
    order by 1, 2, 3
    on conflict (day, price_name, "group", shard) do update set ${addedUnits}`
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
