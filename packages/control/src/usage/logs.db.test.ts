import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement, settle } from '../../test/usage-log.ts'

let site: TestSite
let root: ApiClient & { username: string }
let admin: ApiClient & { username: string }
let user: ApiClient & { username: string }
const NOON = Date.UTC(2026, 5, 1, 12) / 1000

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const other = {
    frt: 120,
    model_ratio: 1,
    admin_info: { use_channel: ['7'] },
    upstream_model_name: 'hidden',
    is_model_mapped: true,
  }
  await settle(site, [
    createSettlement(user.userId!, at(0), {
      quota: 1,
      log: { other, username: user.username, content: 'model ratio 1.25' },
    }),
    createSettlement(user.userId!, at(1), {
      quota: 2,
      log: { other, username: user.username, modelName: 'gpt-4o-mini' },
    }),
  ])
  await site.db
    .insertInto('usage_log')
    .values({
      type: 6,
      user_id: admin.userId!,
      username: admin.username,
      model_name: 'o1',
      created_at: at(2),
      quota: 3,
      channel_id: 7,
      other: '{}',
    })
    .execute()
})
afterAll(() => site.close())

describe('the usage log', () => {
  it('shows administrators all rows, newest first, with channel and details', async () => {
    const { items, total, page, page_size, capped } = await admin.call(api.listLogs)

    expect({ total, page, page_size, capped }).toEqual({ total: 3, page: 1, page_size: 10, capped: false })
    expect(items.map(({ quota }) => quota)).toEqual([3, 2, 1])
    expect(items[2]).toMatchObject({ channel: 7, use_time: 2, created_at: NOON })
    expect(JSON.parse(items[2]!.other)).toMatchObject({
      admin_info: { use_channel: ['7'] },
      upstream_model_name: 'hidden',
    })
  })

  it('shows users their own rows without channels, upstream names and retries', async () => {
    const { items, total } = await user.call(api.listOwnLogs)

    expect(total).toBe(2)
    expect(items[0]).toMatchObject({ channel: 0, channel_name: '', model_name: 'gpt-4o-mini' })
    expect(JSON.parse(items[0]!.other)).toEqual({ frt: 120, model_ratio: 1 })
  })

  it.each([
    [{ type: 0 }, [3, 2, 1]],
    [{ type: 6 }, [3]],
    [{ model_name: 'gpt-4o' }, [1]],
    [{ model_name: 'gpt%' }, [2, 1]],
    [{ model_name: 'gpt-4_' }, [1]],
    [{ model_name: 'gpt.4o%' }, []],
    [{ model_name: 'o1' }, [3]],
    [{ username: 'nobody' }, []],
    [{ channel: 8 }, []],
    [{ group: 'default' }, [2, 1]],
    [{ token_name: 'key', channel: 7 }, [2, 1]],
    [{ start_timestamp: NOON + 1, end_timestamp: NOON + 1 }, [2]],
    [{ p: 0, page_size: 2 }, [3, 2]],
    [{ p: 1, page_size: 2 }, [3, 2]],
    [{ p: 2, page_size: 2 }, [1]],
    [{ p: 'x', page_size: -5 }, [3, 2, 1]],
    [{ start_timestamp: 99_999_999_999_999 }, []],
  ])('applies the filter %o', async (query, quotas) => {
    const { items } = await admin.call(api.listLogs, { query })

    expect(items.map(({ quota }) => quota)).toEqual(quotas)
  })

  it('finds rows by username and request id', async () => {
    const named = await admin.call(api.listLogs, { query: { username: user.username } })
    const [first] = named.items
    const found = await user.call(api.listOwnLogs, { query: { request_id: first!.request_id } })

    expect(named.items.map(({ quota }) => quota)).toEqual([2, 1])
    expect(found.items.map(({ quota }) => quota)).toEqual([2])
  })

  it('rejects very deep pages', async () => {
    await expect(admin.call(api.listLogs, { query: { p: 2000, page_size: 100 } })).rejects.toMatchObject({
      code: 'page_too_deep',
    })
  })

  it('finds the newest rows by type or text prefix', async () => {
    const errors = await admin.call(api.searchLogs, { query: { keyword: '6' } })
    const nothing = await user.call(api.searchOwnLogs, { query: { keyword: '6' } })
    const begun = await user.call(api.searchOwnLogs, { query: { keyword: 'model ra' } })

    expect(errors.map(({ quota }) => quota)).toEqual([3])
    expect(begun.map(({ content }) => content)).toEqual(['model ratio 1.25'])
    expect(await user.call(api.searchOwnLogs, { query: { keyword: 'ratio' } })).toEqual([])
    expect(nothing).toEqual([])
  })

  it('exports filtered rows without formulas or hidden fields', async () => {
    const all = await admin.call(api.exportLogs)
    const own = await user.call(api.exportOwnLogs, { query: { model_name: 'gpt-4o' } })

    expect(all.split('\r\n')).toHaveLength(5) // a header, three rows, and the end of the last
    expect(all).toContain('hidden')
    const [header, row, ...rest] = own.split('\r\n')
    expect(rest).toEqual([''])
    expect(header).toMatch(/^time,type,user_id,username,/)
    expect(row).toContain(',gpt-4o,')
    expect(own).not.toMatch(/hidden|use_channel/)
  })
})

describe('the log sums', () => {
  it.each([
    [{}, 3],
    [{ type: 6 }, 3],
    [{ model_name: 'gpt-4o' }, 1],
    [{ model_name: 'gpt%' }, 3],
    [{ channel: 7 }, 3],
    [{ channel: 8 }, 0],
    [{ group: 'default' }, 3],
    [{ token_name: 'key' }, 3],
    [{ start_timestamp: NOON + 1 }, 2],
    [{ end_timestamp: NOON }, 1],
    [{ start_timestamp: NOON - 7200, end_timestamp: NOON + 7200 }, 3],
    [{ start_timestamp: NOON + 3600 }, 0],
  ])('apply the filters %o: %i', async (query, quota) => {
    expect(await admin.call(api.getLogStat, { query })).toEqual({ quota, rpm: 0, tpm: 0 })
  })

  it('cover only own rows of a user, with any filter', async () => {
    await settle(site, [createSettlement(admin.userId!, at(3), { quota: 40 })])

    expect(await user.call(api.getOwnLogStat)).toMatchObject({ quota: 3 })
    expect(await admin.call(api.getLogStat, { query: { username: user.username } })).toMatchObject({ quota: 3 })
    expect(await admin.call(api.getLogStat)).toMatchObject({ quota: 43 })
  })

  it('count the last minute without channel tests', async () => {
    const now = new Date()
    await settle(site, [createSettlement(user.userId!, now, { quota: 5 })])
    await site.db
      .insertInto('usage_log')
      .values({ type: 2, user_id: user.userId!, created_at: now, quota: 70, prompt_tokens: 99, other: '{"test":true}' })
      .execute()

    expect(await user.call(api.getOwnLogStat, { query: { end_timestamp: NOON } })).toEqual({
      quota: 1,
      rpm: 1,
      tpm: 15,
    })
    const lately = { start_timestamp: Math.floor(now.getTime() / 1000) }
    expect((await user.call(api.getOwnLogStat, { query: lately })).quota).toBe(5)
  })
})

describe('the rows of an own API token', () => {
  it('are found by the token of the caller only', async () => {
    await user.call(api.createToken, { body: { name: 'mine' } })
    const items = await user.call(api.listTokens)
    const key = items.find(({ name }) => name === 'mine')!
    await settle(site, [createSettlement(user.userId!, at(5), { tokenId: key.id, quota: 8 })])

    const rows = await user.call(api.listTokenLogs, { query: { key: `sk-${key.key}` } })

    expect(rows.map(({ quota }) => quota)).toEqual([8])
    const headers = { [api.TOKEN_HEADER]: `sk-${key.key}` }
    expect(await user.call(api.listTokenLogs, { headers })).toEqual(rows)
    await expect(admin.call(api.listTokenLogs, { headers })).rejects.toMatchObject({ code: 'token_not_found' })
    await expect(admin.call(api.listTokenLogs, { query: { key: key.key } })).rejects.toMatchObject({
      code: 'token_not_found',
    })
  })
})

describe('deleting logs', () => {
  it('removes and counts older rows, records it and keeps the sums', async () => {
    const before = await admin.call(api.getLogStat)
    const old = (await admin.call(api.listLogs, { query: { end_timestamp: NOON } })).total

    const removed = await root.call(api.deleteLogs, { query: { target_timestamp: NOON + 1 } })

    expect([removed, old]).toEqual([1, 1])
    expect((await admin.call(api.listLogs, { query: { end_timestamp: NOON } })).total).toBe(0)
    expect((await admin.call(api.getLogStat)).quota).toBe(before.quota)
    const trail = await root.call(api.listAuditEvents, { query: { action: 'log.delete' } })
    expect(trail.items[0]).toMatchObject({ actor: root.username, details: { removed: 1 } })
  })

  it('drops whole days and counts their rows', async () => {
    const left = (await admin.call(api.listLogs, { query: { end_timestamp: NOON + 86_400 } })).total

    expect(await root.call(api.deleteLogs, { query: { target_timestamp: NOON + 2 * 86_400 } })).toBe(left)
  })

  it('keeps administration and top-up rows of the last thirty days', async () => {
    const now = new Date()
    const row = { user_id: user.userId!, created_at: now, other: '{}' }
    await site.db
      .insertInto('usage_log')
      .values([1, 2, 3, 4].map((type) => ({ ...row, type, content: `kind ${type}` })))
      .execute()

    await root.call(api.deleteLogs, { query: { target_timestamp: Math.floor(now.getTime() / 1000) + 60 } })

    const left = await root.call(api.listLogs, { query: { username: user.username, page_size: 100 } })
    expect(
      left.items
        .map(({ content }) => content)
        .filter((text) => text.startsWith('kind'))
        .toSorted(),
    ).toEqual(['kind 1', 'kind 3'])
  })

  it('requires a time', async () => {
    await expect(root.call(api.deleteLogs)).rejects.toMatchObject({ code: 'log_time_missing' })
  })
})

function at(seconds: number): Date {
  return new Date((NOON + seconds) * 1000)
}

describe('uncovered requests', () => {
  const query = { uncovered: true, start_timestamp: NOON + 86_400, end_timestamp: NOON + 2 * 86_400 }

  it('are found by a filter with their sum, by administrators only', async () => {
    const lines = [['input', 10, 500_000]]
    const short = (requestId: string, uncovered: number) =>
      createSettlement(user.userId!, at(86_400), {
        requestId,
        quota: 5,
        log: { other: { uncovered, lines, tiers: [{ speed: 'fast' }] } },
      })
    await settle(site, [
      short('short-1', 100),
      short('short-2', 50),
      createSettlement(user.userId!, at(86_401), { requestId: 'paid' }),
    ])

    const page = await admin.call(api.listLogs, { query })
    expect(page.items.map(({ request_id }) => request_id).toSorted()).toEqual(['short-1', 'short-2'])
    expect(page).toMatchObject({ total: 2, capped: false })
    expect(await admin.call(api.getLogStat, { query })).toMatchObject({
      quota: 10,
      uncovered: { requests: 2, quota: 150, capped: false },
    })
    expect(await admin.call(api.getLogStat, { query: { ...query, uncovered: false } })).not.toHaveProperty('uncovered')
    const csv = await admin.call(api.exportLogs, { query })
    expect(csv).toContain('short-1')
    expect(csv).not.toContain('paid')
  })

  it('show their user the bill lines and tiers', async () => {
    const { items } = await user.call(api.listOwnLogs, { query: { request_id: 'short-1' } })

    expect(JSON.parse(items[0]!.other)).toMatchObject({
      lines: [['input', 10, 500_000]],
      tiers: [{ speed: 'fast' }],
      uncovered: 100,
    })
  })
})
