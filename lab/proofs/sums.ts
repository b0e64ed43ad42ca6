import { parseArgs } from 'node:util'
import { api, type Endpoint } from '@tidegate/contract'
import { setBalance, type Db } from '@tidegate/e2e/scenarios/books.ts'
import { fillAccounts, sumUp } from '@tidegate/e2e/scenarios/logs/fill.ts'
import { quantile } from '@tidegate/e2e/scenarios/quantile.ts'
import { openSite, seedSite } from '@tidegate/e2e/scenarios/site.ts'
import { thinSums } from '@tidegate/storage'
import { apiClient, fakeUpstream, SUPER_ADMIN, type ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'

/**
 * `npm run proof -- sums`: fills a site with the usage sums of many requests over `--days`, without log rows. Prints the
 * size of each table and the response time of dashboards, before and after sums older than `--thin-after` days are thinned.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '400' },
    'thin-after': { type: 'string', default: '90' },
    rounds: { type: 'string', default: '10' },
  },
})
const SIZE = { days: Number(values.days), users: 5000, channels: 2000 }
/** Gateway processes: each adds to its own shard of the sums of the site. */
const PROCESSES = 4
const MAX_MS = 200
const DAY_MS = 86_400_000
const RANGES = [7, 30, 90, 365]
const TABLES = ['usage_rollup', 'site_hour', 'user_day', 'spender_day', 'channel_day', 'site_day', 'sold_day']

const requests = Number(values.requests)
const ranges = RANGES.filter((days) => days < SIZE.days)
const now = new Date()
const upstream = await fakeUpstream()
const site = await openSite()
const server = await site.start({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
const slow: string[] = []
try {
  const { db } = site.database
  const { client, userId } = await seedSite(server.url, upstream)
  await setBalance(db, userId, 1_000_000_000)
  await fillAccounts(db, SIZE)
  await fillSums(db)
  const queries = queriesOf(client, await signedIn())
  await report('nothing thinned', db, queries)
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const limit = ago(Number(values['thin-after']))
  while (await thinSums.thinOldestDay(db, limit));
  await report('hours thinned', db, queries)
  while (await thinSums.thinOldestMonth(db, limit));
  await report('days thinned too', db, queries)
} finally {
  await server.stop()
  await Promise.all([site.close(), upstream.close()])
}
console.log(`proof sums ${slow.length > 0 ? `fails: ${slow.join('; ')}` : 'holds'}`)
process.exitCode = slow.length > 0 ? 1 : 0

/** A few users, models and channels cause most of the use, as in practice. */
async function fillSums(db: Db): Promise<void> {
  await sql`create unlogged table request (created_at timestamptz, user_id integer, token_name text, model_name text,
    channel_id integer, "group" text, quota integer, prompt_tokens integer, completion_tokens integer, shard smallint)`.execute(
    db,
  )
  await sql`
    insert into request
    select ${now}::timestamptz - random() * ${SIZE.days}::integer * interval '1 day', user_id,
      'key-' || user_id % 700 || '-' || n % 3, 'model-' || floor(60 * power(random(), 2.5))::integer,
      1 + floor(${SIZE.channels}::integer * power(random(), 2))::integer,
      case when n % 50 = 0 then 'svip' when n % 7 = 0 then 'vip' else 'default' end, (100 + random() * 9000)::integer,
      (50 + random() * 4000)::integer, (10 + random() * 900)::integer, n % ${PROCESSES}::integer
    from (
      select n, 1000 + floor(${SIZE.users}::integer * power(random(), 3))::integer as user_id
      from generate_series(1, ${requests}::integer) n
    ) one`.execute(db)
  await sumUp(db, sql`request`, sql`shard`)
  await sql`drop table request`.execute(db)
}

/** The user with the most requests. */
async function signedIn(): Promise<ApiClient> {
  const { db } = site.database
  await sql`update "user" set password_hash = (select password_hash from "user" where id = 1) where id = 1000`.execute(
    db,
  )
  const client = apiClient(server.url)
  await client.login('user1000', SUPER_ADMIN.password)
  return client
}

type Query = { name: string; run(): Promise<unknown> }

function queriesOf(administrator: ApiClient, user: ApiClient): Query[] {
  const until = Math.floor(now.getTime() / 1000)
  const since = (days: number) => ({ start_timestamp: until - days * 86_400, end_timestamp: until })
  const each = (name: string, endpoint: Endpoint, query: object = {}) =>
    ranges.map((days) => ({
      name: `${name}, ${days} days`,
      run: () => administrator.call(endpoint, { query: { ...since(days), ...query } }),
    }))
  return [
    ...each('site by hour', api.getSiteData),
    ...each('site by day', api.getSiteData, { default_time: 'day' }),
    ...each('one user', api.getSiteData, { default_time: 'day', username: 'user1000' }),
    ...each('user ranking', api.getUserRanking),
    ...[7, 30].map((days) => ({
      name: `token ranking, ${days} days`,
      run: () => administrator.call(api.getTokenRanking, { query: since(days) }),
    })),
    { name: 'own usage, 30 days', run: () => user.call(api.getOwnData, { query: since(30) }) },
    { name: 'overview', run: () => administrator.call(api.getOverview) },
  ]
}

async function report(state: string, db: Db, queries: readonly Query[]): Promise<void> {
  await sql`vacuum full analyze`.execute(db)
  console.log(`\n${state}\n| table | rows | MB | MB per million requests |\n|---|--:|--:|--:|`)
  let total = 0
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number; bytes: number }>`
      select (select count(*) from ${sql.table(table)})::bigint as count,
        pg_total_relation_size(${table})::bigint as bytes`.execute(db)
    const { count, bytes } = rows[0]!
    total += bytes
    console.log(`| ${table} | ${count} | ${megabytes(bytes)} | ${megabytes((bytes * 1e6) / requests)} |`)
  }
  console.log(`| all | | ${megabytes(total)} | ${megabytes((total * 1e6) / requests)} |\n\n| query | p50 ms | max ms |`)
  console.log('|---|--:|--:|')
  for (const { name, run } of queries) {
    await run()
    const times: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const startedAt = performance.now()
      await run()
      times.push(performance.now() - startedAt)
    }
    const [median, max] = [quantile(times, 0.5), Math.max(...times)]
    console.log(`| ${name} | ${median.toFixed(0)} | ${max.toFixed(0)} |`)
    if (median > MAX_MS) slow.push(`${name} (${state}): ${median.toFixed(0)} ms`)
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
