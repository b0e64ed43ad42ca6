import { api } from '@tidegate/contract'
import { settleBatch, verifyLedger } from '@tidegate/ledger'
import { users } from '@tidegate/storage'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement } from '../../test/usage-log.ts'
import { logJobs } from './log-jobs.ts'

const NOW = new Date('2030-09-15T10:30:00Z')
const KEEP_ALL = {
  LogRetentionDays: 0,
  LogRetentionGigabytes: 0,
  LogChatContentDays: 0,
  StoredResponseDays: 0,
  UsageHourDays: 0,
  UsageDayDays: 0,
}

let site: TestSite
let userId: number
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  const user = await site.signedIn('user')
  userId = (await users.findIdByName(site.db, user.username))!
  await settleAt('2028-02-03T05:10:00Z', 1)
  await settleAt('2028-02-27T22:10:00Z', 2)
  await settleAt('2028-02-27T23:10:00Z', 4)
  await settleAt('2030-06-16T00:10:00Z', 8)
  await settleAt('2030-06-16T13:10:00Z', 16)
  await settleAt('2030-06-18T13:10:00Z', 32)
  await settleAt('2030-09-15T09:10:00Z', 64)
})
afterAll(() => site.close())

async function settleAt(time: string, quota: number): Promise<void> {
  const at = new Date(time)
  await site.makePartition(at)
  // Each settlement comes from another process, whose shard may be another one.
  const batch = { holder: `gateway-${quota}`, number: 1 }
  await settleBatch(site.db, batch, [createSettlement(userId, at, { quota })])
}

function thin(settings: Partial<typeof KEEP_ALL>): Promise<void> {
  const { db, logs, log } = site.deps
  const jobs = logJobs({ db, logs, log, now: () => NOW, settings: () => ({ ...KEEP_ALL, ...settings }) })
  return jobs.find(({ name }) => name === 'thin-usage-sums')!.run(new AbortController().signal)
}

async function rowsOf(table: string, time: 'hour' | 'day'): Promise<Record<string, number>> {
  const at = time === 'hour' ? sql`to_char(hour at time zone 'UTC', 'YYYY-MM-DD HH24')` : sql`day::text`
  const { rows } = await sql<{ at: string; quota: number }>`
    select ${at} as at, sum(quota)::bigint as quota from ${sql.table(table)} group by 1`.execute(site.db)
  return Object.fromEntries(rows.map((row) => [row.at, row.quota]))
}

/** Bills of these requests have no price lines. */
async function differences(): Promise<string[]> {
  const { problems } = await verifyLedger(site.db, { vault: site.deps.vault, now: NOW })
  return problems.filter((problem) => !problem.startsWith('bill'))
}

const BY_HOUR = {
  '2028-02-03 05': 1,
  '2028-02-27 22': 2,
  '2028-02-27 23': 4,
  '2030-06-16 00': 8,
  '2030-06-16 13': 16,
  '2030-06-18 13': 32,
  '2030-09-15 09': 64,
}
const BY_DAY = { '2028-02-03': 1, '2028-02-27': 6, '2030-06-16': 24, '2030-06-18': 32, '2030-09-15': 64 }

it('keeps hours and days by default of 0', async () => {
  await thin({})

  expect(await rowsOf('usage_rollup', 'hour')).toEqual(BY_HOUR)
  expect(await rowsOf('user_day', 'day')).toEqual(BY_DAY)
  expect(await differences()).toEqual([])
})

it('adds old hours to days and old days to months, once, in two workers', async () => {
  const settings = { UsageHourDays: 90, UsageDayDays: 730 }
  await Promise.all([thin(settings), thin(settings)])
  await thin(settings)

  for (const table of ['usage_rollup', 'site_hour']) {
    expect(await rowsOf(table, 'hour'), table).toEqual({
      '2028-02-03 00': 1,
      '2028-02-27 00': 6,
      '2030-06-16 00': 24,
      '2030-06-18 13': 32,
      '2030-09-15 09': 64,
    })
  }
  for (const table of ['user_day', 'spender_day', 'channel_day', 'site_day', 'sold_day']) {
    expect(await rowsOf(table, 'day'), table).toEqual({
      '2028-02-01': 7,
      '2030-06-16': 24,
      '2030-06-18': 32,
      '2030-09-15': 64,
    })
  }
  expect(await differences()).toEqual([])
})

it('adds the shards of several processes to one row', async () => {
  const { rows } = await sql<{ table: string; shards: number }>`
    select 'site_hour' as table, count(*)::integer as shards from site_hour where hour < '2030-06-17' and shard <> 0
    union all select 'site_day', count(*)::integer from site_day where day < '2028-03-01' and shard <> 0
    union all select 'sold_day', count(*)::integer from sold_day where day < '2028-03-01' and shard <> 0`.execute(
    site.db,
  )

  expect(rows.map(({ shards }) => shards)).toEqual([0, 0, 0])
})

it('accepts a late settlement of a day whose hours are gone', async () => {
  await settleAt('2028-02-27T11:10:00Z', 128)

  expect(await differences()).toEqual([])
  await site.db
    .updateTable('site_hour')
    .set({ quota: sql`quota + 1` })
    .where('quota', '=', 32)
    .execute()
  expect(await differences()).toHaveLength(1)
  await site.db
    .updateTable('site_hour')
    .set({ quota: sql`quota - 1` })
    .where('quota', '=', 33)
    .execute()
})

it('keeps the hours of a month, however short the option is', async () => {
  await thin({ UsageHourDays: 1, UsageDayDays: 1 })

  expect(await rowsOf('usage_rollup', 'hour')).toMatchObject({ '2030-06-18 00': 32, '2030-09-15 09': 64 })
  expect(await rowsOf('user_day', 'day')).toMatchObject({ '2030-06-16': 24, '2030-06-18': 32 })
})

it('shows whole days of sums that were thinned', async () => {
  const admin = await site.signedIn('admin')
  const start_timestamp = Date.parse('2030-06-16T00:00:00Z') / 1000
  const query = { start_timestamp, end_timestamp: NOW.getTime() / 1000, default_time: 'hour' }

  const rows = await admin.call(api.getSiteData, { query })

  expect(rows.map(({ created_at, quota }) => [new Date(created_at * 1000).toISOString(), quota])).toEqual([
    ['2030-06-16T00:00:00.000Z', 24],
    ['2030-06-18T00:00:00.000Z', 32],
    ['2030-09-15T00:00:00.000Z', 64],
  ])
})
