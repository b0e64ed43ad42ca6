import { api } from '@tidegate/contract'
import { channelKeyContext, channelMinutes, modelHours, postgresLogStore, touchCatalog } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement, settle } from '../../test/usage-log.ts'
import { readAttention } from './read-attention.ts'
import { readOverview } from './read-overview.ts'

let site: TestSite
let admin: ApiClient & { username: string }
let user: ApiClient & { username: string }
let statements = 0
/** Counts the statements of one call only: the site itself polls its catalog. */
const counting: KyselyPlugin = {
  transformQuery({ node }) {
    statements += 1
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
/** 14:20 in Shanghai. */
const NOW = new Date('2026-06-10T06:20:00Z')
const at = (time: string) => new Date(`2026-06-${time}:00Z`)

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
})
afterAll(() => site.close())

describe('the overview', () => {
  const deps = () => ({ db: site.db, logs: site.deps.logs, now: () => NOW })

  beforeAll(async () => {
    const stream = (frt: number) => ({ isStream: true, other: { frt } })
    await settle(site, [
      createSettlement(user.userId!, at('09T16:10'), { quota: 5, log: stream(100) }), // 0:10 today in Shanghai
      createSettlement(user.userId!, at('10T06:05'), { quota: 7, log: stream(300) }),
      createSettlement(admin.userId!, at('10T06:10'), { quota: 9 }),
      createSettlement(admin.userId!, at('09T06:30'), { quota: 11 }), // 14:30 yesterday
      createSettlement(admin.userId!, at('09T07:30'), { quota: 999 }), // later than now
      createSettlement(admin.userId!, at('08T15:30'), { quota: 999 }), // the day before
    ])
    await modelHours.add(site.db, [
      { model: 'a', hour: at('10T06:00').getTime(), served: 6, failed: 1 },
      { model: 'b', hour: at('10T06:00').getTime(), served: 1, failed: 0 },
      { model: 'a', hour: at('10T05:00').getTime(), served: 0, failed: 2 },
    ])
  })

  it('sums today and the same hours of yesterday in the time zone', async () => {
    const { today, yesterday, timezone } = await readOverview(deps(), 'Asia/Shanghai')

    expect(timezone).toBe('Asia/Shanghai')
    expect(today).toMatchObject({ revenue: 21, requests: 3, active_users: 2, error_rate: 0.3, first_token_p95: 290 })
    expect(today.start).toBe(at('09T16:00').getTime() / 1000)
    expect(yesterday).toMatchObject({ revenue: 11, requests: 1, active_users: 1, error_rate: null })
    expect(yesterday.first_token_p95).toBeNull()
    expect([today.hours.length, yesterday.hours.length]).toEqual([15, 15])
    const time = at('10T06:00').getTime() / 1000
    const measured = { error_rate: 0.125, active_users: 2, first_token_p95: 300 }
    expect(today.hours.at(-1)).toEqual({ time, revenue: 16, requests: 2, ...measured })
    const none = { revenue: 0, requests: 0, error_rate: null, active_users: 0, first_token_p95: null }
    expect(today.hours[1]).toMatchObject(none)
  })

  it('has no percentile where too many rows would have to be read', async () => {
    const span = { from: at('09T16:00'), to: at('10T07:00') }

    expect(await site.deps.logs.firstTokenP95(span, 3)).toMatchObject({ p95: 290 })
    expect(await site.deps.logs.firstTokenP95(span, 2)).toEqual({ p95: null, hours: new Map() })
  })

  it('reads a fixed number of statements', async () => {
    statements = 0
    const db = site.db.withPlugin(counting)
    await readOverview({ ...deps(), db, logs: postgresLogStore(db) }, 'Asia/Shanghai')

    expect(statements).toBe(5)
  })

  it('is in UTC by default and rejects unknown time zones', async () => {
    expect((await admin.call(api.getOverview)).timezone).toBe('UTC')
    await expect(admin.call(api.getOverview, { query: { timezone: 'Mars/Base' } })).rejects.toMatchObject({
      code: 'timezone_unknown',
    })
  })
})

describe('the attention list', () => {
  beforeAll(async () => {
    const channel = { type: 1, sealed_key: '', models: '', group: 'default' }
    const disabled = Array.from({ length: 7 }, (_, index) => ({
      ...channel,
      id: 101 + index,
      name: `disabled ${index}`,
      status: 3,
      other_info: JSON.stringify({ status_reason: 'status 401', status_time: 1_780_000_000 + index }),
    }))
    const checked = { balance_updated_at: NOW }
    await site.db
      .insertInto('channel')
      .values([
        ...disabled,
        { ...channel, id: 201, name: 'failing', status: 1, other_info: '{}' },
        { ...channel, id: 202, name: 'working', status: 1, other_info: '{}', ...checked, balance: '50' },
        { ...channel, id: 203, name: 'poor', status: 1, other_info: '{}', ...checked, balance: '2.5' },
        { ...channel, id: 204, name: 'disabled by hand', status: 2, other_info: '{}', ...checked, balance: '0' },
      ])
      .execute()
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    const counts = { minute, totalMs: 1, firstTokenMs: 0, firstTokens: 0 }
    await channelMinutes.add(site.db, [
      { ...counts, channelId: 201, succeeded: 1, failed: 9 },
      { ...counts, channelId: 202, succeeded: 9, failed: 1 },
      { ...counts, channelId: 203, succeeded: 0, failed: 2 },
      { ...counts, channelId: 204, succeeded: 0, failed: 20 },
    ])
    await site.db.updateTable('user').set({ quota: 100 }).where('id', '=', user.userId!).execute()
    await settle(site, [createSettlement(user.userId!, new Date(), { quota: 1 })])
  })

  it('lists each kind with its total and the first items', async () => {
    const sections = await admin.call(api.getAttention)
    const of = (kind: string) => sections.find((section) => section.kind === kind)

    expect(sections.map(({ kind }) => kind)).toEqual([
      'channel_failing',
      'channel_auto_disabled',
      'channel_low_balance',
      'user_low_balance',
    ])
    expect(of('channel_failing')).toEqual({
      kind: 'channel_failing',
      total: 1,
      items: [{ kind: 'channel_failing', channel_id: 201, channel_name: 'failing', attempts: 10, failed: 9 }],
    })
    expect(of('channel_auto_disabled')).toMatchObject({ total: 7 })
    expect(of('channel_auto_disabled')!.items).toHaveLength(5)
    expect(of('channel_auto_disabled')!.items[0]).toMatchObject({
      channel_id: 107,
      reason: 'status 401',
      time: 1_780_000_006,
    })
    expect(of('channel_low_balance')!.items).toMatchObject([{ channel_id: 203, balance: 2.5 }])
    expect(of('user_low_balance')).toMatchObject({
      total: 1,
      items: [{ user_id: user.userId!, username: user.username, limit: 500_000 }],
    })
  })

  it('includes models without a price, and options that are off', async () => {
    const sealed_key = site.deps.vault.seal('channel-key', channelKeyContext(202), 'sk-202')
    const changes = { models: 'no-such-model', sealed_key }
    await site.db.updateTable('channel').set(changes).where('id', '=', 202).execute()
    await site.db.insertInto('ability').values({ group: 'default', model: 'no-such-model', channel_id: 202 }).execute()
    await site.db
      .insertInto('option')
      .values([
        { key: 'LogErrorEnabled', value: 'false' },
        { key: 'RetryTimes', value: '0' },
      ])
      .execute()
    await site.deps.catchUp(await touchCatalog(site.db))

    const sections = await admin.call(api.getAttention)

    expect(sections.flatMap(({ items }) => items)).toEqual(
      expect.arrayContaining([
        { kind: 'model_unpriced', model: 'no-such-model' },
        { kind: 'error_logging_off', option: 'LogErrorEnabled' },
        { kind: 'retries_off', option: 'RetryTimes' },
      ]),
    )
  })

  it('reads a fixed number of statements', async () => {
    statements = 0
    await readAttention({ ...site.deps, db: site.db.withPlugin(counting) })

    expect(statements).toBe(4)
  })
})
