import type { ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Db } from '../scenarios/books.ts'
import { sumUp } from '../scenarios/logs/fill.ts'
import { MODELS } from './models.ts'

const DAY_MS = 86_400_000

interface HistorySize {
  rows: number
  days: number
}

/** The usage log up to now, with failures and retries, and its totals. */
export async function addHistory(
  { db, makeLogDays }: Pick<ThrowAwayDatabase, 'db' | 'makeLogDays'>,
  { rows, days }: HistorySize,
): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const first = new Date(today - (days - 1) * DAY_MS)
  await makeLogDays(first, days + 2)
  await sql`create table sample_channel (model text primary key, ids bigint[] not null)`.execute(db)
  await sql`
    insert into sample_channel select model, array_agg(distinct channel_id) from ability where enabled group by 1`.execute(
    db,
  )
  await sql`create table sample_token as select id, name, row_number() over (order by id) - 1 as n from token`.execute(
    db,
  )
  const shares = Array.from({ length: days }, (_, day) => shareOf(new Date(first.getTime() + day * DAY_MS), day / days))
  const sum = shares.reduce((total, share) => total + share, 0)
  for (const [day, share] of shares.entries()) {
    await addDay(db, new Date(first.getTime() + day * DAY_MS), Math.round((rows * share) / sum))
  }
  await sql`drop table sample_channel, sample_token`.execute(db)
  await sumUp(db)
  await addTotals(db)
  await sql`vacuum analyze`.execute(db)
}

/** A growing site with quiet weekends. */
const shareOf = (day: Date, progress: number): number =>
  (0.7 + progress * 0.6) * ([0, 6].includes(day.getUTCDay()) ? 0.55 : 1)

async function addDay(db: Db, from: Date, rows: number): Promise<void> {
  const total = MODELS.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  const bounds = MODELS.slice(0, -1).map(({ weight }) => (reached += weight) / total)
  const names = MODELS.map(({ name }) => name)
  const inputs = MODELS.map(({ input }) => input)
  const outputs = MODELS.map(({ output }) => output)
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, quota, prompt_tokens,
      completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content, other)
    select request.created_at, case when is_error then 6 else 2 end, u.id, u.username,
      case when u.id = 1 then t.id else 0 end, case when u.id = 1 then t.name else 'default' end, model,
      case when is_error then 0 else ceil((fresh * input + cached * input / 10 + completion * output) / 2 * ratio) end,
      case when is_error then 0 else fresh + cached end, case when is_error then 0 else completion end, took, request.n % 4 <> 0,
      case when is_error and problem = 5 then 0 else channel end, u."group", '203.0.113.' || request.n % 200,
      to_char(request.created_at, 'YYYYMMDDHH24MISSMS') || substr(md5(request.n::text || ${from}::text), 1, 8),
      case when is_error then (${ERRORS.map(({ message }) => message)}::text[])[problem] else '' end,
      case when is_error then jsonb_strip_nulls(jsonb_build_object('error_type', 'upstream', 'status_code', (${ERRORS.map(({ status }) => status)}::int[])[problem],
          'error_code', (${ERRORS.map(({ code }) => code)}::text[])[problem], 'channel_id', channel, 'not_final', case when request.n % 3 = 0 and problem <> 5 then true end,
          'rejected', case when problem = 5 then true end,
          'admin_info', jsonb_build_object('message', (${ERRORS.map(({ message }) => message)}::text[])[problem], 'use_channel',
            jsonb_build_array(channel::text), 'attempts', jsonb_build_array(jsonb_build_object('channel', channel, 'dialect',
            'openai-chat', 'milliseconds', took, 'status', (${ERRORS.map(({ status }) => status)}::int[])[problem])))))
        else jsonb_build_object('model_ratio', input / 2, 'completion_ratio', output / input, 'group_ratio', ratio,
          'model_price', -1, 'quota_per_unit', 500000, 'price_name', model, 'price_basis', 'set', 'cache_tokens', cached,
          'cache_ratio', 0.1, 'frt', (took * 0.2)::int, 'timing', jsonb_build_object('authenticate', 0.4, 'limits', 0.2,
            'prompt', 0.1, 'route', 0.2, 'credit', 0.3),
          'admin_info', jsonb_build_object('use_channel', case when is_retried then jsonb_build_array(other_channel::text,
            channel::text) else jsonb_build_array(channel::text) end, 'attempts', case when is_retried then jsonb_build_array(
              jsonb_build_object('channel', other_channel, 'dialect', 'openai-chat', 'milliseconds', (took * 0.1)::int,
                'status', 429, 'reason', 'rate_limited: Rate limit reached for requests per minute.'),
              jsonb_build_object('channel', channel, 'dialect', 'openai-chat', 'milliseconds', (took * 0.15)::int))
            else jsonb_build_array(jsonb_build_object('channel', channel, 'dialect', 'openai-chat', 'milliseconds',
              (took * 0.2)::int)) end)) end
    from (
      select n, ${from}::timestamptz + (random() + random()) / 2 * interval '1 day' as created_at,
        names.name as model, names.input, names.output,
        case when random() < 0.06 then 1 else newest - floor((newest - 2) * power(random(), 3))::int end as user_id,
        random() < case when names.name = 'grok-4.7' then 0.09 else 0.018 end as is_error, random() < 0.03 as is_retried,
        1 + floor(random() * ${ERRORS.length}::int)::int as problem,
        floor(50 + power(random(), 3) * 18000)::int as fresh,
        case when random() < 0.45 then floor(power(random(), 2) * 24000)::int else 0 end as cached,
        floor(10 + power(random(), 3) * 3800)::int as completion, floor(380 + power(random(), 4) * 24000)::int as took,
        s.ids[1 + floor(power(random(), 2) * array_length(s.ids, 1))::int] as channel,
        s.ids[1 + floor(random() * array_length(s.ids, 1))::int] as other_channel
      from generate_series(1, ${rows}::int) n
      cross join (select max(id)::int as newest from "user") latest
      cross join lateral (select 1 + width_bucket(random() + n * 0, ${bounds}::float8[]) as at) picked
      cross join lateral (select (${names}::text[])[picked.at] as name, (${inputs}::float8[])[picked.at] as input,
        (${outputs}::float8[])[picked.at] as output) names
      join sample_channel s on s.model = names.name
    ) request
    join "user" u on u.id = request.user_id
    left join sample_token t on t.n = request.n % 12
    cross join lateral (select case u."group" when 'vip' then 0.9 when 'enterprise' then 0.8 else 1.0 end as ratio) price
    where request.created_at < now()`.execute(db)
}

/** What providers respond; the fifth is a rejection by the site. */
const ERRORS = [
  {
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests per minute. Please try again in 2.4s.',
  },
  { status: 503, code: 'overloaded', message: 'The engine is currently overloaded, please try again later.' },
  { status: 504, code: 'timeout', message: 'The provider sent no content within 120 seconds.' },
  { status: 400, code: 'context_length_exceeded', message: 'This model’s maximum context length is 200000 tokens.' },
  { status: 403, code: 'insufficient_user_quota', message: 'The balance is too low for this request.' },
  {
    status: 401,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided. You can find your API key in the account settings.',
  },
  { status: 500, code: 'internal_server_error', message: 'The server had an error while processing your request.' },
] as const

/** Totals of users, tokens and channels, the last use of accounts, the availability of models, and the last hour of each channel. */
async function addTotals(db: Db): Promise<void> {
  await sql`
    update "user" u set used_quota = s.quota, request_count = s.requests
    from (select user_id, sum(quota) as quota, count(*) as requests from usage_log where type = 2 group by 1) s
    where s.user_id = u.id`.execute(db)
  await sql`
    update token t set used_quota = s.quota, accessed_at = s.last
    from (select token_id, sum(quota) as quota, max(created_at) as last from usage_log where type = 2 group by 1) s
    where s.token_id = t.id`.execute(db)
  await sql`
    insert into session (id_hash, user_id, created_at, last_seen_at, expires_at)
    select 'sample' || user_id, user_id, min(created_at), max(created_at), now() + interval '7 days'
    from usage_log where user_id > 1 group by 2`.execute(db)
  await sql`
    update channel c set used_quota = s.quota
    from (select channel_id, sum(quota) as quota from usage_log where type = 2 group by 1) s where s.channel_id = c.id`.execute(
    db,
  )
  await sql`
    insert into sold_day (day, price_name, "group", shard, requests, quota, calls, pieces, input, cache_read, cache_write,
      cache_write_1h, audio_in, output, audio_out)
    select (created_at at time zone 'UTC')::date, model_name, "group", 0, count(*), sum(quota), 0, 0,
      sum(prompt_tokens - (other ->> 'cache_tokens')::int), sum((other ->> 'cache_tokens')::int), 0, 0, 0, sum(completion_tokens), 0
    from usage_log where type = 2 group by 1, 2, 3`.execute(db)
  await sql`
    insert into model_hour (model_name, hour, served, failed)
    select model_name, date_trunc('hour', created_at, 'UTC'), count(*) filter (where type = 2),
      count(*) filter (where type = 6 and channel_id <> 0)
    from usage_log where type in (2, 6) group by 1, 2`.execute(db)
  await sql`
    insert into channel_minute (channel_id, minute, succeeded, failed, total_ms, first_token_ms, first_tokens)
    select c.id, date_trunc('minute', now()) - make_interval(mins => m), ok, bad, (ok + bad) * (900 + c.id % 7 * 300),
      ok * (300 + c.id % 5 * 140), ok
    from channel c, generate_series(0, 59, 3) m
    cross join lateral (select 1 + (c.id * (m + 1)) % 4 as ok, case when c.id % 13 = 0 then 3 when (c.id + m) % 23 = 0 then 1 else 0 end as bad) x
    where c.status = 1 and c.id % 5 <> 4`.execute(db)
}
