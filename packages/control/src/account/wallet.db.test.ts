import { api } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const codeOf = async (response: Promise<{ envelope: object }>) => ((await response).envelope as { code?: string }).code
const setOption = (key: string, value: string) => root.call(api.updateOption, { body: { key, value } })
const UNIT = 500_000

async function earner(aff_quota: number) {
  const client = await site.signedIn('user')
  await site.db.updateTable('user').set({ aff_quota }).where('id', '=', client.userId!).execute()
  return client
}

describe('invite earnings', () => {
  it('have a stable code of eight characters', async () => {
    const client = await site.signedIn('user')

    const code = await client.call(api.getInviteCode)

    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
    expect(await client.call(api.getInviteCode)).toBe(code)
  })

  it('get a code if there is none', async () => {
    const client = await site.signedIn('user')
    await site.db.updateTable('user').set({ aff_code: '' }).where('id', '=', client.userId!).execute()

    const code = await client.call(api.getInviteCode)

    expect(code).toHaveLength(8)
    expect((await client.call(api.getSelf)).aff_code).toBe(code)
  })

  it('can be transferred to the balance, with a log row', async () => {
    const client = await earner(UNIT * 2)

    const { envelope } = await client.send(api.transferEarnings, { body: { quota: UNIT } })

    expect(envelope).toEqual({ success: true, message: '划转成功' })
    expect(await client.call(api.getSelf)).toMatchObject({ quota: UNIT, aff_quota: UNIT })
    expect((await client.call(api.listOwnLogs)).items).toMatchObject([{ type: 4 }])
  })

  it.each([
    [{}, 'quota_invalid'],
    [{ quota: 0 }, 'quota_invalid'],
    [{ quota: -UNIT }, 'quota_invalid'],
    [{ quota: UNIT + 0.5 }, 'quota_invalid'],
    [{ quota: UNIT - 1 }, 'aff_min'],
    [{ quota: UNIT * 3 }, 'aff_not_enough'],
  ])('cannot be transferred with %o', async (body, code) => {
    const client = await earner(UNIT * 2)

    expect(await codeOf(client.send(api.transferEarnings, { body }))).toBe(code)
    expect(await client.call(api.getSelf)).toMatchObject({ quota: 0, aff_quota: UNIT * 2 })
  })

  it('are paid out once for fifty concurrent transfers', async () => {
    const client = await earner(UNIT * 3)

    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(client.send(api.transferEarnings, { body: { quota: UNIT } }))),
    )

    expect(codes.filter((code) => code === undefined)).toHaveLength(3)
    expect(codes.filter((code) => code === 'aff_not_enough')).toHaveLength(47)
    expect(await client.call(api.getSelf)).toMatchObject({ quota: UNIT * 3, aff_quota: 0 })
    expect(await findImbalances(site.db)).toEqual([])
  })
})

describe('the daily check-in', () => {
  it('is rejected and not offered while it is disabled', async () => {
    await setOption('CheckInEnabled', 'false')
    const client = await site.signedIn('user')

    expect(await client.call(api.getCheckInStatus)).toEqual({ can_check_in: false, next_check_in_at: null })
    expect(await codeOf(client.send(api.checkIn))).toBe('checkin_off')
  })

  it('pays once for fifty concurrent requests', async () => {
    await setOption('CheckInEnabled', 'true')
    await setOption('CheckInQuota', '1000')
    const client = await site.signedIn('user')
    expect(await client.call(api.getCheckInStatus)).toMatchObject({ can_check_in: true })

    const responses = await Promise.all(Array.from({ length: 50 }, () => client.send(api.checkIn)))

    const paid = responses.filter(({ envelope }) => envelope.success)
    expect(paid.map(({ envelope }) => envelope)).toEqual([
      { success: true, message: '签到成功', data: { quota: 1000 } },
    ])
    expect((await client.call(api.getSelf)).quota).toBe(1000)
    const status = await client.call(api.getCheckInStatus)
    expect(status.can_check_in).toBe(false)
    expect(status.next_check_in_at).toMatch(/T00:00:00\.000Z$/)
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('is possible again on the next day', async () => {
    await setOption('CheckInEnabled', 'true')
    const client = await site.signedIn('user')
    const yesterday = new Date(Date.now() - 86_400_000)
    await site.db.updateTable('user').set({ last_check_in_at: yesterday }).where('id', '=', client.userId!).execute()

    expect(await client.call(api.getCheckInStatus)).toMatchObject({ can_check_in: true })
  })

  it('requires Turnstile while it is enabled', async () => {
    for (const key of ['TurnstileSiteKey', 'TurnstileSecretKey']) await setOption(key, 'a-key')
    const client = await site.signedIn('user')
    await setOption('TurnstileCheckEnabled', 'true')

    expect(await codeOf(client.send(api.checkIn))).toBe('turnstile_empty')
    expect((await client.call(api.getSelf)).quota).toBe(0)
    await setOption('TurnstileCheckEnabled', 'false')
  })
})
