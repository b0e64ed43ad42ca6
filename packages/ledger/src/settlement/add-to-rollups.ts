import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { json } from './json.ts'
import { shardOf } from './shard.ts'
import type { RollupSum } from './summarize-batch.ts'

/**
 * Adds a batch to every sum of use: the books by user and hour, and what screens ask for by site, channel and user. The
 * accounts are locked, so rows of users have one writer at a time; the others are taken in one order.
 */
export async function addToRollups(db: Db, holder: string, rollups: readonly RollupSum[]): Promise<void> {
  const shard = shardOf(holder)
  await sql`
    with batch as (
      select user_id, at as hour, (at at time zone 'UTC')::date as day, model_name, token_name, "group", channel_id,
        requests, quota, prompt_tokens, completion_tokens, prompt_tokens + completion_tokens as tokens, logged_requests,
        logged_quota
      from json_to_recordset(${json(rollups)}) as s(user_id bigint, hour bigint, model_name text, token_name text,
        "group" text, channel_id bigint, requests bigint, quota bigint, prompt_tokens bigint,
        completion_tokens bigint, logged_requests bigint, logged_quota bigint), to_timestamp(hour / 1000.0) at
    ), books as (
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
      on conflict (user_id, day, model_name, token_name, "group") do update set ${added}
    ), by_spender as (
      insert into spender_day as r (day, user_id, requests, quota, tokens)
      select day, user_id, sum(requests), sum(quota), sum(tokens) from batch group by 1, 2 order by 1, 2
      on conflict (day, user_id) do update set ${added}
    ), by_channel as (
      insert into channel_day as r (channel_id, day, model_name, "group", shard, requests, quota, tokens)
      select channel_id, day, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
      from batch group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (channel_id, day, model_name, "group", shard) do update set ${added}
    ), by_day as (
      insert into site_day as r (day, model_name, "group", shard, requests, quota, tokens)
      select day, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
      from batch group by 1, 2, 3 order by 1, 2, 3
      on conflict (day, model_name, "group", shard) do update set ${added}
    )
    insert into site_hour as r (hour, model_name, "group", shard, requests, quota, tokens)
    select hour, model_name, "group", ${shard}, sum(requests), sum(quota), sum(tokens)
    from batch group by 1, 2, 3 order by 1, 2, 3
    on conflict (hour, model_name, "group", shard) do update set ${added}`.execute(db)
}

const added = sql`requests = r.requests + excluded.requests, quota = r.quota + excluded.quota,
  tokens = r.tokens + excluded.tokens`
