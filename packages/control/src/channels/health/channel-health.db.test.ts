import { api } from '@tidegate/contract'
import { channelMinutes } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

const NOW = Date.UTC(2030, 0, 1, 12, 3)
const minute = (ago: number) => NOW - ago * 60_000

let site: TestSite
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  site.deps.now = () => new Date(NOW)
})
afterAll(() => site.close())

const row = { channelId: 1, succeeded: 0, failed: 0, totalMs: 0, firstTokenMs: 0, firstTokens: 0 }

it('sums reports of nodes and shows the last hour in twelve buckets', async () => {
  const reports = [
    { ...row, minute: minute(0), succeeded: 2, totalMs: 300 },
    { ...row, minute: minute(1), succeeded: 1, failed: 1, totalMs: 150 },
    { ...row, minute: minute(57), failed: 4 },
    { ...row, minute: minute(70), succeeded: 9 },
    { ...row, minute: minute(0), channelId: 2, succeeded: 1, totalMs: 7 },
    { ...row, minute: minute(0), succeeded: 1, totalMs: 30 },
  ]
  await Promise.all([channelMinutes.add(site.db, reports), channelMinutes.add(site.db, reports.toReversed())])
  await channelMinutes.add(site.db, [])

  const [first, second, third] = await admin.call(api.getChannelHealth, { query: { ids: '1,2,77,x,-3,1' } })

  expect(first!.channel_id).toBe(1)
  expect(first!.buckets).toHaveLength(12)
  expect(first!.buckets[11]).toEqual({
    time: Date.UTC(2030, 0, 1, 12, 0) / 1000,
    succeeded: 8,
    failed: 2,
    average_ms: 120,
  })
  expect(first!.buckets[0]).toEqual({
    time: Date.UTC(2030, 0, 1, 11, 5) / 1000,
    succeeded: 0,
    failed: 8,
    average_ms: 0,
  })
  expect(first!.buckets.slice(1, 11).every(({ succeeded, failed }) => succeeded + failed === 0)).toBe(true)
  expect(second!.buckets[11]).toMatchObject({ succeeded: 2, average_ms: 7 })
  expect(third).toMatchObject({ channel_id: 77 })
  expect(await admin.call(api.getChannelHealth)).toEqual([])
})

it('removes older data', async () => {
  expect(await channelMinutes.removeBefore(site.db, new Date(minute(65)))).toBe(1)
  expect(await channelMinutes.removeBefore(site.db, new Date(minute(65)))).toBe(0)
})
