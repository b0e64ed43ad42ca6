import { api } from '@tidegate/contract'
import { channelMinutes } from '@tidegate/storage'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

/** The last hour began on the day before. */
const NOW = Date.UTC(2030, 0, 2, 0, 33)
const MINUTE = 60_000

let site: TestSite
let admin: ApiClient
let busy: number
let idle: number
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  const add = (name: string) => addChannel(admin, { url: 'http://127.0.0.1:9' }, { key: 'sk-secret-of-stats', name })
  busy = (await add('busy')).id
  idle = (await add('idle')).id
  site.deps.now = () => new Date(NOW)
})
afterAll(() => site.close())

const read = (ids: string) => admin.call(api.getChannelStats, { query: { ids } })

const NO_ATTEMPTS = { succeeded: 0, failed: 0, totalMs: 0, firstTokenMs: 0, firstTokens: 0 }
const minute = (ago: number, counts: object) => ({
  ...NO_ATTEMPTS,
  channelId: busy,
  minute: NOW - ago * MINUTE,
  ...counts,
})

async function logError(secondsAgo: number, fields: object, other: object) {
  const created_at = new Date(NOW - secondsAgo * 1000)
  await site.deps.logs.prepare({ from: created_at, days: 1 })
  await site.deps.logs.append([
    {
      created_at,
      type: api.LOG_TYPE.error,
      user_id: 1,
      model_name: 'gpt-4o',
      channel_id: busy,
      ...fields,
      other: JSON.stringify(other),
    },
  ])
}

it('returns zero and null for a channel without requests, and nothing for unknown ids', async () => {
  expect(await read(`${idle},999999,x,-1,${idle}`)).toEqual([
    {
      channel_id: idle,
      state: 'healthy',
      last_hour: { succeeded: 0, failed: 0, first_token_average_ms: null },
      today: { requests: 0, billed_quota: 0, failed: 0 },
      last_30_days: { requests: 0, billed_quota: 0 },
      last_error: null,
    },
  ])
  expect(await admin.call(api.getChannelStats)).toEqual([])
})

it('sums attempts of the last hour and of the day, in UTC', async () => {
  await channelMinutes.add(site.db, [
    minute(0, { succeeded: 3, failed: 1, firstTokenMs: 901, firstTokens: 2 }),
    minute(40, { succeeded: 1, failed: 4 }),
    minute(90, { failed: 7 }),
  ])

  const [stats] = await read(String(busy))

  expect(stats).toMatchObject({
    state: 'failing',
    last_hour: { succeeded: 4, failed: 5, first_token_average_ms: 451 },
    today: { failed: 1 },
    last_error: null,
  })
})

it('sums billed requests of the day and of 30 days', async () => {
  const row = { channel_id: busy, model_name: 'gpt-4o', group: 'default', requests: 2, tokens: 9 }
  const days = ['2030-01-02', '2030-01-02', '2030-01-01', '2029-12-04', '2029-12-03']
  await site.db
    .insertInto('channel_day')
    .values(days.map((day, shard) => ({ ...row, day, shard, quota: 10 ** shard })))
    .execute()

  const [first, second] = await read(`${idle},${busy}`)

  expect(first).toMatchObject({ channel_id: idle, last_30_days: { requests: 0 } })
  expect(second).toMatchObject({
    today: { requests: 4, billed_quota: 11 },
    last_30_days: { requests: 8, billed_quota: 1111 },
  })
})

it('returns the newest logged error with the message of the provider', async () => {
  await logError(10, { type: api.LOG_TYPE.consumption, request_id: 'served' }, {})
  await logError(2400, { request_id: 'older', content: 'shown to the user' }, { error_type: 'timeout' })

  expect((await read(String(busy)))[0]!.last_error).toEqual({
    code: 'timeout',
    status: null,
    message: 'shown to the user',
    model: 'gpt-4o',
    time: NOW / 1000 - 2400,
    request_id: 'older',
  })

  const admin_info = { message: `Rate limit reached ${'x'.repeat(400)}` }
  await logError(
    0,
    { request_id: 'newer', content: 'shown to the user' },
    { error_code: 'rate_limit_exceeded', error_type: 'requests', status_code: 429, admin_info },
  )

  const [stats] = await read(String(busy))
  expect(stats!.last_error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, request_id: 'newer' })
  expect(stats!.last_error!.message).toBe(admin_info.message.slice(0, 300))
})

it('is for administrators only', async () => {
  const user = await site.signedIn('user')

  await expect(user.call(api.getChannelStats, { query: { ids: String(busy) } })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
