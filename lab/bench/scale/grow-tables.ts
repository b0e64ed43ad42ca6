import type { ThrowAwayDatabase } from '@tidegate/testing'

type Database = Pick<ThrowAwayDatabase, 'pool' | 'makeLogDays'>

/** Generated accounts and tokens have IDs above this one, in the order they were created. */
export const FIRST_ID = 1_000_000
const CREDIT = 1_000_000_000_000
const DAY_MS = 86_400_000
const LOG_DAYS = 30

/** Adds accounts up to this number, each with credit and its ledger entry. */
export async function growAccounts({ pool }: Database, from: number, to: number): Promise<void> {
  if (to <= from) return
  await pool.query(
    `with added as (
       insert into "user" (id, username, display_name, aff_code, quota)
       select ${FIRST_ID} + n, 'bench-' || n, 'Bench ' || n, 'bench-' || n, ${CREDIT}
       from generate_series($1::integer, $2::integer) n returning id
     )
     insert into ledger_entry (user_id, kind, amount) select id, 'admin_change', ${CREDIT} from added`,
    [from + 1, to],
  )
  await pool.query('vacuum analyze "user", ledger_entry')
}

/** Unused tokens: their keys are unknown, but the table and its indexes have the size. */
export async function growTokens({ pool }: Database, from: number, to: number, accounts: number): Promise<void> {
  if (to <= from) return
  await pool.query(
    `insert into token (id, user_id, hash, sealed_key, hint, name, unlimited_quota)
     select ${FIRST_ID} + n, ${FIRST_ID} + 1 + n % $3::integer, encode(sha256(('bench ' || n)::bytea), 'hex'),
       repeat('x', 100), 'abcd', 'token ' || n, true
     from generate_series($1::integer, $2::integer) n`,
    [from + 1, to, accounts],
  )
  await pool.query('vacuum analyze token')
}

/** Requests of the last month up to yesterday, with their roll-ups. */
export async function growLog(database: Database, from: number, to: number, accounts: number): Promise<void> {
  if (to <= from) return
  const { pool } = database
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await database.makeLogDays(new Date(today - LOG_DAYS * DAY_MS), LOG_DAYS)
  const perDay = Math.ceil((to - from) / LOG_DAYS)
  for (let day = LOG_DAYS; day > 0; day -= 1) {
    await pool.query(
      `insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, quota, prompt_tokens,
         completion_tokens, use_time_ms, is_stream, channel_id, "group", request_id, content, other)
       select $1::timestamptz + n * interval '1 day' / $2::integer, 2, ${FIRST_ID} + account, 'bench-' || account, account,
         'token ' || account, 'model-' || n % 40, 350, 200, 150, 400 + n % 9000, n % 3 = 0, 1 + n % 10, 'default',
         md5(n::text || $1::text), 'model ratio 1.25, completion ratio 4.00, group ratio 1.00',
         jsonb_build_object('model_ratio', 1.25, 'group_ratio', 1, 'completion_ratio', 4, 'model_price', -1,
           'cache_tokens', 0, 'frt', 200 + n % 3000)
       from (select n, 1 + floor($3::integer * power(random(), 3))::integer as account
         from generate_series(0, $2::integer - 1) n) call`,
      [new Date(today - day * DAY_MS), perDay, accounts],
    )
  }
  const siteWithLogs = `from usage_log where type = 2 and created_at < $1`
  await pool.query(
    `insert into usage_rollup (user_id, hour, model_name, requests, quota, prompt_tokens, completion_tokens)
     select user_id, date_trunc('hour', created_at, 'UTC'), model_name, count(*), sum(quota), sum(prompt_tokens),
       sum(completion_tokens) ${siteWithLogs} group by 1, 2, 3 on conflict do nothing`,
    [new Date(today)],
  )
  await pool.query(
    `insert into user_day (user_id, day, model_name, token_name, "group", requests, quota, tokens)
     select user_id, (created_at at time zone 'UTC')::date, model_name, token_name, "group", count(*), sum(quota),
       sum(prompt_tokens + completion_tokens) ${siteWithLogs} group by 1, 2, 3, 4, 5 on conflict do nothing`,
    [new Date(today)],
  )
  await pool.query('vacuum analyze')
}
