import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement, settle } from '../../test/usage-log.ts'

let site: TestSite
let admin: ApiClient & { username: string }
let user: ApiClient & { username: string }
const NOON = Date.UTC(2026, 5, 1, 12) / 1000
const RETRIED = { frt: 310.4, admin_info: { use_channel: ['7', '9'] } }

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const log = { username: user.username }
  await settle(site, [
    createSettlement(user.userId!, at(1), { requestId: 'whole', quota: 10, log: { ...log, other: { frt: -1000 } } }),
    createSettlement(user.userId!, at(2), {
      requestId: 'streamed',
      quota: 20,
      log: { ...log, isStream: true, modelName: 'o1', channelId: 9, useTimeMs: 9000, other: RETRIED },
    }),
    createSettlement(admin.userId!, at(3), {
      requestId: 'cut',
      quota: 40,
      log: { username: admin.username, modelName: 'o3', other: { stream_interrupted: true } },
    }),
  ])
  const failure = { type: 6, user_id: user.userId!, username: user.username, channel_id: 7, model_name: 'gpt-4o' }
  const other = { error_code: 'overloaded', admin_info: { use_channel: ['7'] } }
  await site.db
    .insertInto('usage_log')
    .values([
      { ...failure, created_at: at(2), request_id: 'streamed', other: JSON.stringify({ ...other, not_final: true }) },
      { ...failure, created_at: at(4), request_id: 'failed', other: JSON.stringify(other) },
      { type: 1, user_id: user.userId!, created_at: at(5), request_id: 'top-up', other: '{}' },
    ])
    .execute()
})
afterAll(() => site.close())

describe('the rows of the log', () => {
  it('have the time to the first token, the number of attempts and the error code', async () => {
    const { items } = await admin.call(api.listLogs)
    const row = (id: string, type: number) =>
      items.find(({ request_id, type: found }) => request_id === id && found === type)!

    expect(row('streamed', 2)).toMatchObject({ first_token_ms: 310, use_time_ms: 9000, attempts: 2 })
    expect(row('whole', 2)).not.toHaveProperty('first_token_ms')
    expect(row('whole', 2)).toMatchObject({ attempts: 1 })
    expect(row('failed', 6)).toMatchObject({ error_code: 'overloaded', attempts: 1 })
    expect(row('top-up', 1)).not.toHaveProperty('attempts')
  })

  it('are those of the chosen types', async () => {
    const types = async (query: { types?: string }) =>
      new Set((await user.call(api.listOwnLogs, { query })).items.map(({ type }) => type))

    expect(await types({})).toEqual(new Set([1, 2, 6]))
    expect(await types({ types: '2,6' })).toEqual(new Set([2, 6]))
    expect(await types({ types: '1' })).toEqual(new Set([1]))
    expect(await types({ types: '1,6' })).toEqual(new Set([1, 6]))
  })

  it('show users the error code, but no attempts', async () => {
    const { items } = await user.call(api.listOwnLogs, { query: { status: 'error' } })

    expect(items).toMatchObject([{ request_id: 'failed', error_code: 'overloaded' }])
    expect(items[0]).not.toHaveProperty('attempts')
  })

  it.each([
    [{ status: 'success' }, ['streamed', 'whole']],
    [{ status: 'error' }, ['failed']],
    [{ status: 'error,interrupted' }, ['failed', 'cut']],
    [{ status: 'unknown', type: 1 }, ['top-up']],
    [{ stream: true }, ['streamed']],
    [{ stream: false, type: 2 }, ['cut', 'whole']],
    [{ retried: true }, ['streamed']],
    [{ retried: false, type: 2 }, ['cut', 'whole']],
    [{ min_duration_ms: 9000 }, ['streamed']],
    [{ models: 'o1,o3' }, ['cut', 'streamed']],
    [{ models: 'o1,o3', model_name: '%3' }, ['cut']],
    [{ channels: '9,8', type: 2 }, ['streamed']],
    [{ channels: 'x', type: 1 }, ['top-up']],
    [{ usernames: 'nobody' }, []],
  ])('are found by the filter %o', async (query, ids) => {
    const { items, total, capped } = await admin.call(api.listLogs, { query })

    expect(items.map(({ request_id }) => request_id)).toEqual(ids)
    expect({ total, capped }).toEqual({ total: ids.length, capped: false })
  })

  it('are found by several usernames', async () => {
    const usernames = `${admin.username},nobody,${user.username}`

    const { total } = await admin.call(api.listLogs, { query: { usernames, type: 2 } })

    expect(total).toBe(3)
  })

  it('are exported with the same filters', async () => {
    const csv = await admin.call(api.exportLogs, { query: { status: 'interrupted' } })

    expect(csv).toContain('cut')
    expect(csv).not.toContain('whole')
  })

  it('ignores filters of administrators in the own log', async () => {
    const query: Record<string, string | boolean> = { usernames: admin.username, channels: '1', retried: true }

    expect((await user.call(api.listOwnLogs, { query })).total).toBe(5)
  })
})

describe('the cost of the log', () => {
  it.each([
    [{ stream: true }, 20],
    [{ status: 'success,interrupted' }, 70],
    [{ status: 'error' }, 0],
    [{ min_duration_ms: 5000 }, 20],
    [{ channels: '7,9' }, 70],
    [{ channels: '9' }, 20],
    [{ channels: '7', models: 'o3' }, 40],
  ])('is summed with the filter %o', async (query, quota) => {
    expect(await admin.call(api.getLogStat, { query })).toEqual({ quota, rpm: 0, tpm: 0 })
  })

  it('is summed for several usernames', async () => {
    const both = { usernames: `${admin.username},${user.username}` }

    expect((await admin.call(api.getLogStat, { query: both })).quota).toBe(70)
    expect((await admin.call(api.getLogStat, { query: { ...both, channels: '9' } })).quota).toBe(20)
  })
})

describe('cursor paging', () => {
  it('reads every row once, also rows of the same time', async () => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const query = { page_size: 2, ...(cursor && { cursor }) }
      const page = await admin.call(api.listLogs, { query })
      ids.push(...page.items.map(({ request_id, type }) => `${request_id} ${type}`))
      cursor = page.next_cursor
    } while (cursor)

    expect(ids.toSorted()).toEqual(['cut 2', 'failed 6', 'streamed 2', 'streamed 6', 'top-up 1', 'whole 2'])
  })

  it.each(['nonsense', Buffer.from('2026-02-30T00:00:00.000000Z 1').toString('base64url')])(
    'rejects the cursor %s',
    async (cursor) => {
      await expect(admin.call(api.listLogs, { query: { cursor } })).rejects.toMatchObject({
        code: 'log_cursor_invalid',
      })
    },
  )
})

function at(seconds: number): Date {
  return new Date((NOON + seconds) * 1000)
}
