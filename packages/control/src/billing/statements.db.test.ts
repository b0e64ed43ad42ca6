import { api } from '@tidegate/contract'
import { changeBalance, recordEntry } from '@tidegate/ledger'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient & { username: string }
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

const codeOf = async (result: ReturnType<ApiClient['send']>) => {
  const { envelope } = await result
  return envelope.success ? undefined : envelope.code
}

/** Settled usage: taken from the balance and added to its hour. */
async function spend(userId: number, hour: string, quota: number, requests = 1): Promise<void> {
  await site.db
    .updateTable('user')
    .set((eb) => ({ quota: eb('quota', '-', quota) }))
    .where('id', '=', userId)
    .execute()
  await site.db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: `m-${requests}`, hour: new Date(hour), quota, requests })
    .execute()
}

async function entryAt(userId: number, at: string, amount: number): Promise<void> {
  await recordEntry(site.db, { userId, kind: 'top_up', amount, reference: `USR${userId}NO${at}` })
  await site.db
    .updateTable('ledger_entry')
    .set({ created_at: new Date(at) })
    .where('reference', '=', `USR${userId}NO${at}`)
    .execute()
}

async function busyUser() {
  const user = await site.signedIn('user')
  const id = user.userId!
  await entryAt(id, '2026-01-01T10:00:00Z', 1_000_000)
  await spend(id, '2026-01-01T11:00:00Z', 300, 3)
  await spend(id, '2026-01-01T11:00:00Z', 50, 5)
  await entryAt(id, '2026-01-02T10:00:00Z', 500)
  await spend(id, '2026-01-03T00:00:00Z', 100)
  return user
}

describe('an account statement', () => {
  it('lists every ledger entry with the balance after it', async () => {
    const user = await busyUser()

    const { items, total } = await user.call(api.listOwnStatement)

    expect(total).toBe(4)
    expect(items.map(({ kind, amount, balance, requests }) => [kind, amount, balance, requests])).toEqual([
      ['usage', -100, 1_000_050, 1],
      ['top_up', 500, 1_000_150, 0],
      ['usage', -350, 999_650, 8],
      ['top_up', 1_000_000, 1_000_000, 0],
    ])
    expect((await user.call(api.getSelf)).quota).toBe(1_000_050)
  })

  it('shows correct balances when filtered and paged', async () => {
    const user = await busyUser()

    const usage = await user.call(api.listOwnStatement, { query: { kind: 'usage', p: 2, page_size: 1 } })
    const day = await user.call(api.listOwnStatement, {
      query: {
        start_timestamp: Date.parse('2026-01-02') / 1000,
        end_timestamp: Date.parse('2026-01-02T23:59:59Z') / 1000,
      },
    })

    expect(usage).toMatchObject({ total: 2, page: 2, items: [{ amount: -350, balance: 999_650 }] })
    expect(day.items).toMatchObject([{ kind: 'top_up', amount: 500, balance: 1_000_150 }])
  })

  it('sums usage by the days of a time zone', async () => {
    const user = await busyUser()
    await spend(user.userId!, '2026-01-01T15:00:00Z', 30, 4)
    await spend(user.userId!, '2026-01-01T16:00:00Z', 20, 2)
    const byDay = (timezone: string) =>
      user.call(api.listOwnStatement, { query: { usage_by: 'day', timezone, kind: 'usage' } })

    const inShanghai = await byDay('Asia/Shanghai')
    const inUtc = await byDay('Mars/Base')

    const endOf = (day: string) => Date.parse(`${day}T23:59:59+08:00`) / 1000
    expect(inShanghai.items).toMatchObject([
      { created_at: endOf('2026-01-03'), amount: -100, balance: 1_000_000, requests: 1 },
      { created_at: endOf('2026-01-02'), amount: -20, balance: 1_000_100, requests: 2 },
      { created_at: endOf('2026-01-01'), amount: -380, balance: 999_620, requests: 12 },
    ])
    expect(inUtc.items.map(({ amount }) => amount)).toEqual([-100, -400])
  })

  it('names acting administrators to administrators only', async () => {
    const user = await busyUser()
    const origin = { clientIp: '127.0.0.1', requestId: '' }
    await changeBalance(site.db, { userId: user.userId!, quota: 1_000_057, actorId: admin.userId!, origin })

    const own = await user.call(api.listOwnStatement, { query: { kind: 'admin_change' } })
    const full = await admin.call(api.listStatement, { path: { id: user.userId! }, query: { kind: 'admin_change' } })

    expect(own.items).toMatchObject([{ amount: 7, actor_id: 0, actor: '' }])
    expect(full.items).toMatchObject([{ amount: 7, actor_id: admin.userId, actor: admin.username }])
    expect(JSON.stringify(own)).not.toContain(admin.username)
  })

  it('is available as CSV', async () => {
    const user = await busyUser()

    const { response, envelope } = await user.send(api.exportOwnStatement)

    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('.csv')
    expect((envelope as { data: string }).data.trimEnd().split('\r\n')).toHaveLength(5)
  })

  it('requires a higher rank if it is about another user', async () => {
    const other = await site.signedIn('admin')
    const path = { id: other.userId! }

    expect(await codeOf(admin.send(api.listStatement, { path }))).toBe('rank_read')
    expect(await codeOf(admin.send(api.listStatement, { path: { id: 999_999 } }))).toBe('user_not_found')
    expect(await codeOf((await busyUser()).send(api.listStatement, { path }))).toBe('forbidden')
  })
})
