import { api } from '@tidegate/contract'
import { channelMinutes, nodeMetrics } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSettlement, settle } from '../../test/usage-log.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
let one: ApiClient & { username: string }
let other: ApiClient & { username: string }
const HOUR = 3600
/** A Wednesday. */
const NOON = Date.UTC(2026, 5, 3, 12) / 1000
const at = (seconds: number) => new Date((NOON + seconds) * 1000)
const span = { start_timestamp: NOON - 24 * HOUR, end_timestamp: NOON + HOUR }

beforeAll(async () => {
  site = await startTestSite({ now: () => new Date(NOON * 1000) })
  await site.initialise()
  admin = await site.signedIn('admin')
  one = await site.signedIn('user')
  other = await site.signedIn('user')
  await settle(site, [
    createSettlement(one.userId!, at(-30 * HOUR), { quota: 1000 }),
    createSettlement(one.userId!, at(-20 * HOUR), { quota: 5 }),
    createSettlement(one.userId!, at(-20 * HOUR + 1), { quota: 6, keepLog: false }),
    createSettlement(one.userId!, at(-1), { quota: 7, log: { modelName: 'o1' } }),
    createSettlement(other.userId!, at(-20 * HOUR + 2), { quota: 100 }),
  ])
})
afterAll(() => site.close())

describe('usage over time', () => {
  it('is summed for administrators by model and hour, logged or not', async () => {
    const rows = await admin.call(api.getSiteData, { query: span })

    expect(
      rows.map(({ model_name, created_at, count, quota, token_used }) => [
        model_name,
        created_at,
        count,
        quota,
        token_used,
      ]),
    ).toEqual([
      ['gpt-4o', NOON - 20 * HOUR, 3, 111, 45],
      ['o1', NOON - HOUR, 1, 7, 15],
    ])
    expect(rows[0]).toMatchObject({ user_id: 0, username: '' })
  })

  it('is available per user to administrators, and to users for themselves', async () => {
    const filtered = await admin.call(api.getSiteData, { query: { ...span, username: one.username } })
    const own = await one.call(api.getOwnData, { query: span })

    expect(filtered.map(({ quota, username }) => [quota, username])).toEqual([
      [11, one.username],
      [7, one.username],
    ])
    expect(own).toEqual(filtered)
    expect(await admin.call(api.getSiteData, { query: { ...span, username: 'nobody' } })).toEqual([])
  })

  it('can be grouped by day or week', async () => {
    const days = await one.call(api.getOwnData, {
      query: { ...span, start_timestamp: NOON - 7 * 24 * HOUR, default_time: 'day' },
    })
    const weeks = await one.call(api.getOwnData, {
      query: { ...span, start_timestamp: NOON - 7 * 24 * HOUR, default_time: 'week' },
    })

    const midnight = NOON - 12 * HOUR
    expect(days.map(({ created_at, quota }) => [created_at, quota])).toEqual([
      [midnight - 24 * HOUR, 1011],
      [midnight, 7],
    ])
    expect(weeks.map(({ created_at, quota }) => [created_at, quota])).toEqual([
      [midnight - 2 * 24 * HOUR, 1011],
      [midnight - 2 * 24 * HOUR, 7],
    ])
  })

  it.each([
    ['hour', 24],
    ['day', 7 * 24],
    ['week', 30 * 24],
  ])('accepts the default range by %s', async (default_time, hours) => {
    const query = { start_timestamp: NOON - hours * HOUR, end_timestamp: NOON + HOUR, default_time }

    await expect(one.call(api.getOwnData, { query })).resolves.not.toEqual([])
  })

  it('rejects ranges that are too long', async () => {
    const year = { start_timestamp: NOON - 400 * 24 * HOUR, end_timestamp: NOON }
    const month = { start_timestamp: NOON - 40 * 24 * HOUR, end_timestamp: NOON }

    await expect(one.call(api.getOwnData, { query: month })).rejects.toMatchObject({ code: 'data_span_too_long' })
    await expect(admin.call(api.getSiteData, { query: month })).resolves.toHaveLength(2) // by day
    await expect(admin.call(api.getSiteData, { query: year })).rejects.toMatchObject({ code: 'data_span_too_long' })
  })

  it('ranks users by spent quota', async () => {
    const day = await admin.call(api.getUserRanking, { query: span })
    const days = await admin.call(api.getUserRanking, { query: { ...span, start_timestamp: NOON - 4 * 24 * HOUR } })

    expect(day.map(({ username, quota, count }) => [username, quota, count])).toEqual([
      [other.username, 100, 1],
      [one.username, 18, 3],
    ])
    expect(days.map(({ username, quota }) => [username, quota])).toEqual([
      [one.username, 1018],
      [other.username, 100],
    ])
  })
})

it('ranks API tokens by cost over whole UTC days', async () => {
  const day = { start_timestamp: NOON - HOUR, end_timestamp: NOON }
  const settlement = (userId: number, tokenName: string, quota: number) =>
    createSettlement(userId, at(-10 * HOUR), { quota, log: { tokenName } })
  await settle(site, [
    settlement(one.userId!, 'ci', 40),
    settlement(one.userId!, 'laptop', 30),
    settlement(other.userId!, 'ci', 35),
    settlement(other.userId!, '', 900), // without a token
  ])

  const rows = await admin.call(api.getTokenRanking, { query: day })
  const both = await admin.call(api.getTokenRanking, { query: { ...day, start_timestamp: NOON - 24 * HOUR } })

  const listed = rows.map(({ username, token_name: name, quota, count }) => [username, name, quota, count])
  expect(listed.slice(0, 3)).toEqual([
    [one.username, 'ci', 40, 1],
    [other.username, 'ci', 35, 1],
    [one.username, 'laptop', 30, 1],
  ])
  expect(rows.every(({ token_name: name }) => name !== '')).toBe(true)
  expect(both[0]).toMatchObject({ username: one.username, quota: 1018, count: 4 })
  const query = { start_timestamp: NOON - 40 * 24 * HOUR, end_timestamp: NOON }
  await expect(admin.call(api.getTokenRanking, { query })).rejects.toMatchObject({ code: 'data_span_too_long' })
})

describe('live metrics', () => {
  it('sum the last reports of nodes and skip silent ones', async () => {
    const node = { seconds: 10, calls: 100, failed: 5, tokens: 5000, openRequests: 3, firstTokens: [0, 0, 0, 0, 10] }
    const now = new Date(NOON * 1000)
    await nodeMetrics.report(site.db, 'a', now, node)
    await nodeMetrics.report(site.db, 'b', now, { ...node, seconds: 5, firstTokens: [10] })
    await nodeMetrics.report(site.db, 'gone', new Date(now.getTime() - 60_000), node)

    const metrics = await firstEvent()

    expect(metrics).toMatchObject({
      requests_per_second: 30,
      tokens_per_second: 1500,
      error_rate: 0.05,
      first_token_p50: 50,
      first_token_p95: 195,
      open_calls: 6,
      nodes: 2,
    })
  })

  it('end when the role of the reader changes', async () => {
    const [root, reader] = [await site.signedIn('root'), await site.signedIn('admin')]
    const response = await reader.open(api.followLiveFigures)
    const events = response.body!.getReader()
    await events.read()

    await root.call(api.manageUser, { body: { id: reader.userId!, action: 'demote' } })

    while (!(await events.read()).done);
  })
})

async function firstEvent(): Promise<unknown> {
  const response = await admin.open(api.followLiveFigures)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  for await (const chunk of response.body!) {
    return JSON.parse(
      Buffer.from(chunk)
        .toString()
        .replace(/^data: /, ''),
    )
  }
  throw new Error('no event came')
}

it('ranks channels by their average time to respond, without deleted channels', async () => {
  const channel = { type: 1, sealed_key: '', models: '', group: 'default', other_info: '{}' }
  await site.db
    .insertInto('channel')
    .values([31, 32].map((id) => ({ ...channel, id, name: `channel ${id}` })))
    .execute()
  const counts = { minute: at(-600).getTime(), failed: 1, firstTokenMs: 0, firstTokens: 0 }
  await channelMinutes.add(site.db, [
    { ...counts, channelId: 31, succeeded: 4, totalMs: 400 },
    { ...counts, channelId: 32, succeeded: 2, totalMs: 3000, firstTokenMs: 900, firstTokens: 2 },
    { ...counts, channelId: 32, minute: at(-7200).getTime(), succeeded: 1, totalMs: 90_000 },
    { ...counts, channelId: 99, succeeded: 1, totalMs: 9000 },
  ])

  const rows = await admin.call(api.getSlowestChannels, { query: { start_timestamp: NOON - HOUR } })

  expect(rows).toEqual([
    { channel_id: 32, channel_name: 'channel 32', attempts: 3, failed: 1, average_ms: 1500, first_token_ms: 450 },
    { channel_id: 31, channel_name: 'channel 31', attempts: 5, failed: 1, average_ms: 100 },
  ])
})
