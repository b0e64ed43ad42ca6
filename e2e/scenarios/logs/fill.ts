import type { ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Db } from '../books.ts'

export interface SiteSize {
  readonly rows: number
  readonly days: number
  readonly users: number
  readonly channels: number
}

const DAY_MS = 86_400_000

/**
 * Fills a site with a past, made by the database itself: few users, models and channels do most of the work, as they do
 * everywhere. `until` is the newest moment; sums of use are written as bookings would have written them.
 */
export async function fillSite(
  database: Pick<ThrowAwayDatabase, 'db' | 'makeLogDays'>,
  size: SiteSize,
  until: Date,
  log: (line: string) => void,
): Promise<void> {
  const { db } = database
  await fillAccounts(db, size)
  const first = new Date(until.getTime() - size.days * DAY_MS)
  await database.makeLogDays(first, size.days + 1)
  const perDay = Math.ceil(size.rows / size.days)
  for (let day = 0; day < size.days; day++) {
    await fillDay(db, size, new Date(first.getTime() + day * DAY_MS), Math.min(perDay, size.rows - day * perDay))
    if (day % 10 === 9) log(`${day + 1} of ${size.days} days`)
  }
  await sumUp(db)
  log('summed up')
  await sql`vacuum analyze`.execute(db)
  log('vacuumed')
}

async function fillAccounts(db: Db, { users, channels }: SiteSize): Promise<void> {
  await sql`
    insert into "user" (id, username, password_hash, display_name, aff_code, role, status, quota)
    select n, 'user' || n, 'x', 'User ' || n, 'a' || n, 1, 1, 0 from generate_series(1000, 1000 + ${users}::integer - 1) n`.execute(
    db,
  )
  await sql`
    insert into channel (id, type, sealed_key, name, models, "group")
    select n, 1, '', 'channel ' || n, 'gpt-4o', 'default' from generate_series(1, ${channels}::integer) n
    on conflict do nothing`.execute(db)
}

/** One row of ten thousand is a failure, one of a thousand a top-up; the rest are calls. */
async function fillDay(db: Db, { users, channels }: SiteSize, from: Date, rows: number): Promise<void> {
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, quota, prompt_tokens,
      completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content, other)
    select created_at, type, user_id, 'user' || user_id, user_id * 3 + key, 'key-' || user_id % 700 || '-' || key,
      'model-' || model, quota, prompt, completion, 400 + (random() * 9000)::integer, n % 3 <> 0, channel,
      case when n % 50 = 0 then 'svip' when n % 7 = 0 then 'vip' else 'default' end, '',
      to_char(created_at, 'YYYYMMDDHH24MISSMS') || substr(md5(n::text || random()), 1, 8),
      'model ratio 1.25, completion ratio 4.00, group ratio 1.00',
      jsonb_build_object('model_ratio', 1.25, 'group_ratio', 1, 'completion_ratio', 4, 'model_price', -1,
        'cache_tokens', 0, 'cache_ratio', 0.5, 'frt', 200 + (random() * 3000)::integer,
        'admin_info', jsonb_build_object('use_channel', jsonb_build_array(channel::text), 'attempts',
          jsonb_build_array(jsonb_build_object('channel', channel, 'dialect', 'openai-chat', 'milliseconds', 900))))
    from (
      select n, ${from}::timestamptz + (n - random()) / ${rows}::float8 * interval '1 day' as created_at,
        case when n % 10000 = 0 then 6 when n % 1000 = 0 then 1 else 2 end as type,
        1000 + floor(${users}::integer * power(random(), 3))::integer as user_id,
        floor(3 * random())::integer as key,
        floor(60 * power(random(), 2.5))::integer as model,
        1 + floor(${channels}::integer * power(random(), 2))::integer as channel,
        (50 + random() * 4000)::integer as prompt, (10 + random() * 900)::integer as completion,
        (100 + random() * 9000)::integer as quota
      from generate_series(1, ${rows}::integer) n
    ) call`.execute(db)
}

/** In the order of time, as they would have come. */
async function sumUp(db: Db): Promise<void> {
  await sql`
    insert into usage_rollup (user_id, hour, model_name, requests, quota, prompt_tokens, completion_tokens)
    select user_id, date_trunc('hour', created_at, 'UTC') as hour, model_name, count(*), sum(quota), sum(prompt_tokens),
      sum(completion_tokens)
    from usage_log where type = 2 group by 1, 2, 3 order by 2`.execute(db)
  await sql`
    insert into user_day (user_id, day, model_name, token_name, "group", requests, quota, tokens)
    select user_id, (created_at at time zone 'UTC')::date as day, model_name, token_name, "group", count(*), sum(quota),
      sum(prompt_tokens + completion_tokens)
    from usage_log where type = 2 group by 1, 2, 3, 4, 5 order by 2`.execute(db)
  await sql`
    insert into spender_day (day, user_id, requests, quota, tokens)
    select day, user_id, sum(requests), sum(quota), sum(tokens) from user_day group by 1, 2 order by 1`.execute(db)
  await sql`
    insert into channel_day (channel_id, day, model_name, "group", shard, requests, quota, tokens)
    select channel_id, (created_at at time zone 'UTC')::date as day, model_name, "group", 0, count(*), sum(quota),
      sum(prompt_tokens + completion_tokens)
    from usage_log where type = 2 group by 1, 2, 3, 4 order by 2`.execute(db)
  await sql`
    insert into site_hour (hour, model_name, "group", shard, requests, quota, tokens)
    select date_trunc('hour', created_at, 'UTC') as hour, model_name, "group", 0, count(*), sum(quota),
      sum(prompt_tokens + completion_tokens)
    from usage_log where type = 2 group by 1, 2, 3 order by 1`.execute(db)
  await sql`
    insert into site_day (day, model_name, "group", shard, requests, quota, tokens)
    select (hour at time zone 'UTC')::date, model_name, "group", 0, sum(requests), sum(quota), sum(tokens)
    from site_hour group by 1, 2, 3 order by 1`.execute(db)
}
