import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../test-site.ts'

let site: TestSite
let admin: ApiClient
let user: ApiClient & { username: string }
const NOON = Date.UTC(2026, 5, 1, 12) / 1000

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const other = {
    frt: 120,
    model_ratio: 1,
    admin_info: { use_channel: ['7'] },
    upstream_model_name: 'hidden',
    is_model_mapped: true,
  }
  const row = { type: 2, channel_id: 7, other: JSON.stringify(other), use_time_ms: 1500 }
  await site.makePartition(new Date(NOON * 1000))
  await site.db
    .insertInto('usage_log')
    .values([
      { ...row, user_id: user.userId!, username: user.username, model_name: 'gpt-4o', created_at: at(0), quota: 1 },
      {
        ...row,
        user_id: user.userId!,
        username: user.username,
        model_name: 'gpt-4o-mini',
        created_at: at(1),
        quota: 2,
      },
      { ...row, user_id: admin.userId!, username: 'boss', model_name: 'o1', created_at: at(2), quota: 3, type: 6 },
    ])
    .execute()
})
afterAll(() => site.close())

describe('the usage log', () => {
  it('shows administrators everybody, newest first, with channel and everything else', async () => {
    const { items, total, page, page_size } = await admin.call(api.listLogs)

    expect({ total, page, page_size }).toEqual({ total: 3, page: 1, page_size: 10 })
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
    [{ username: 'boss' }, [3]],
    [{ channel: 8 }, []],
    [{ start_timestamp: NOON + 1, end_timestamp: NOON + 1 }, [2]],
    [{ p: 0, page_size: 2 }, [3, 2]],
    [{ p: 1, page_size: 2 }, [3, 2]],
    [{ p: 2, page_size: 2 }, [1]],
    [{ p: 'x', page_size: -5 }, [3, 2, 1]],
    [{ start_timestamp: 99_999_999_999_999 }, []],
  ])('answers the filter %o', async (query, quotas) => {
    const { items } = await admin.call(api.listLogs, { query })

    expect(items.map(({ quota }) => quota)).toEqual(quotas)
  })
})

function at(seconds: number): Date {
  return new Date((NOON + seconds) * 1000)
}
