import { api } from '@tidegate/contract'
import { memoryLimiter } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
beforeAll(async () => {
  // The rate limit clock stands still: on a slow machine a delay could otherwise pass before the next attempt.
  site = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }) })
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

type Fields = Partial<api.NewRedemptions>
const create = (fields: Fields = {}) =>
  admin.call(api.createRedemptions, { body: { name: 'spring', quota: 1000, ...fields } })
const sendCreate = async (fields: Fields) =>
  (await admin.send(api.createRedemptions, { body: { name: 'spring', quota: 1000, ...fields } })).envelope
const find = async (key: string) =>
  (await admin.call(api.searchRedemptions, { query: { keyword: key } })).items.find((row) => row.key === key)!
const codeOf = async (result: ReturnType<ApiClient['send']>) => {
  const { envelope } = await result
  return envelope.success ? undefined : envelope.code
}
const use = (client: ApiClient, key: string) => client.send(api.redeem, { body: { key } })

describe('creating redemption codes', () => {
  it('creates the requested number and lists them newest first', async () => {
    const keys = await create({ name: 'batch', count: 100 })

    expect(new Set(keys).size).toBe(100)
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true)
    const { items, total, page_size } = await admin.call(api.searchRedemptions, {
      query: { keyword: 'bat', page_size: 20 },
    })
    expect({ total, page_size }).toEqual({ total: 100, page_size: 20 })
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((a, b) => b - a))
    expect(items[0]).toMatchObject({
      name: 'batch',
      quota: 1000,
      status: 1,
      max_uses: -1,
      used_count: 0,
      valid_from: 0,
    })
  })

  it('counts and lists codes by status', async () => {
    await create({ name: 'autumn', count: 3 })
    const query = { keyword: 'autumn' }
    const { items } = await admin.call(api.searchRedemptions, { query })
    await admin.call(api.disableRedemptions, { body: { ids: [items[0]!.id] } })

    const summary = await admin.call(api.getRedemptionSummary, { query })
    const disabled = await admin.call(api.searchRedemptions, { query: { ...query, status: 2 } })

    expect(summary).toEqual({ all: 3, unused: 2, disabled: 1, used: 0, expired: 0 })
    expect(disabled).toMatchObject({ total: 1, items: [{ id: items[0]!.id }] })
  })

  it('counts and lists unused codes whose validity has ended', async () => {
    const query = { keyword: 'past' }
    const [expired] = await create({ name: 'past', valid_until: 1000 })
    const [disabled] = await create({ name: 'past', valid_until: 1000 })
    await create({ name: 'past', valid_until: 9_999_999_999 })
    await create({ name: 'past' })
    await admin.call(api.disableRedemptions, { body: { ids: [(await find(disabled!)).id] } })
    const search = (filter: object) => admin.call(api.searchRedemptions, { query: { ...query, ...filter } })

    const summary = await admin.call(api.getRedemptionSummary, { query })

    expect(summary).toEqual({ all: 4, unused: 3, disabled: 1, used: 0, expired: 1 })
    expect(await search({ expired: true })).toMatchObject({ total: 1, items: [{ key: expired }] })
    expect((await search({ expired: false })).total).toBe(3)
    expect((await search({ status: 1, expired: false })).total).toBe(2)
  })

  it('finds no code of a status that does not exist', async () => {
    const { items } = await admin.call(api.searchRedemptions, { query: { status: 99_999 } })

    expect(items).toEqual([])
  })

  it('accepts a custom key, once', async () => {
    expect(await create({ key: '  WELCOME-2026 ', count: 50 })).toEqual(['WELCOME-2026'])
    expect(await sendCreate({ key: 'WELCOME-2026' })).toMatchObject({ code: 'redemption_key_taken' })
    await admin.call(api.deleteRedemption, { path: { id: (await find('WELCOME-2026')).id } })
    expect(await sendCreate({ key: 'WELCOME-2026' })).toMatchObject({ code: 'redemption_key_taken' })
  })

  it.each<[Fields, string]>([
    [{ name: ' ' }, 'redemption_name_invalid'],
    [{ name: '一'.repeat(21) }, 'redemption_name_invalid'],
    [{ quota: 0 }, 'quota_invalid'],
    [{ quota: 1.5 }, 'quota_invalid'],
    [{ quota: -5 }, 'quota_invalid'],
    [{ count: 0 }, 'redemption_count_invalid'],
    [{ count: 101 }, 'redemption_count_invalid'],
    [{ count: 2.5 }, 'redemption_count_invalid'],
    [{ is_gift: true, max_uses: 0 }, 'redemption_uses_invalid'],
    [{ is_gift: true, max_uses: -2 }, 'redemption_uses_invalid'],
    [{ valid_from: 2000, valid_until: 2000 }, 'redemption_window_invalid'],
    [{ valid_from: -1 }, 'redemption_window_invalid'],
    [{ valid_until: 1e18 }, 'redemption_window_invalid'],
    [{ key: 'x'.repeat(33) }, 'redemption_key_invalid'],
    [{ key: 'two words' }, 'redemption_key_invalid'],
  ])('rejects %o', async (fields, code) => {
    expect(await sendCreate(fields)).toMatchObject({ success: false, code })
  })

  it('writes an audit event without keys', async () => {
    const [key] = await create({ name: 'trail', quota: 77 })

    const [event] = await site.db.selectFrom('audit_event').selectAll().where('subject', '=', 'trail').execute()

    expect(event).toMatchObject({
      actor_id: admin.userId,
      action: 'redemption.create',
      details: { quota: 77, count: 1 },
    })
    expect(JSON.stringify(event)).not.toContain(key)
  })
})

describe('editing redemption codes', () => {
  it('changes every field of an unused code', async () => {
    const [key] = await create()
    const { id } = await find(key!)

    const changed = await admin.call(api.updateRedemption, {
      body: { id, name: '新名', quota: 5, is_gift: true, max_uses: 3, valid_from: 100, valid_until: 9_999_999_999 },
    })

    expect(changed).toMatchObject({ name: '新名', quota: 5, is_gift: true, max_uses: 3, valid_from: 100 })
    expect(await find(key!)).toEqual(changed)
  })

  it('changes only the status with status_only', async () => {
    const [key] = await create()
    const { id } = await find(key!)
    const setStatus = (status: number) =>
      admin.send(api.updateRedemption, { query: { status_only: true }, body: { id, status, name: 'not taken' } })

    await setStatus(2)
    expect(await find(key!)).toMatchObject({ status: 2, name: 'spring' })
    await setStatus(1)
    expect(await find(key!)).toMatchObject({ status: 1 })
    expect(await codeOf(setStatus(3))).toBe('redemption_status_invalid')
  })

  it('rejects edits of a disabled code until it is enabled', async () => {
    const [key] = await create()
    const { id } = await find(key!)
    const setStatus = (status: number) =>
      admin.call(api.updateRedemption, { query: { status_only: true }, body: { id, status } })
    const rename = () => codeOf(admin.send(api.updateRedemption, { body: { id, name: 'renamed' } }))

    await setStatus(2)
    expect(await rename()).toBe('redemption_edit_disabled')
    expect(await find(key!)).toMatchObject({ name: 'spring' })
    await setStatus(1)
    expect(await rename()).toBeUndefined()
  })

  it('locks the value of a multi-use code after its first use, and all fields when it is used up', async () => {
    const [key] = await create({ is_gift: true, max_uses: 2 })
    const { id } = await find(key!)
    const edit = (body: Partial<api.RedemptionEdit>) =>
      codeOf(admin.send(api.updateRedemption, { body: { id, ...body } }))
    await use(await site.signedIn('user'), key!)

    expect(await edit({ quota: 2000 })).toBe('redemption_in_use')
    expect(await edit({ max_uses: 1 })).toBe('redemption_in_use')
    expect(await edit({ name: 'renamed', valid_until: 9_999_999_999 })).toBeUndefined()
    await use(await site.signedIn('user'), key!)
    expect(await edit({ name: 'again' })).toBe('redemption_used')
  })

  it('disables several unused codes and returns the count', async () => {
    const [a, b, c] = await create({ name: 'three', count: 3 })
    await use(await site.signedIn('user'), a!)
    const ids = await Promise.all([a, b, c].map(async (key) => (await find(key!)).id))

    expect(await admin.call(api.disableRedemptions, { body: { ids } })).toBe(2)
    expect(await find(a!)).toMatchObject({ status: 3 })
    expect(await codeOf(admin.send(api.disableRedemptions, { body: { ids: [] } }))).toBe('redemptions_required')
  })
})

describe('removing redemption codes', () => {
  it('removes by exact name after returning the count', async () => {
    await create({ name: 'gone', count: 4 })
    await create({ name: 'gone too' })

    expect(await admin.call(api.countRedemptionsByName, { query: { name: 'gone' } })).toBe(4)
    expect(await admin.call(api.deleteRedemptionsByName, { query: { name: 'gone' } })).toBe(4)
    expect(await admin.call(api.countRedemptionsByName, { query: { name: 'gone too' } })).toBe(1)
  })

  it('rejects a missing name', async () => {
    expect(await codeOf(admin.send(api.deleteRedemptionsByName, { query: {} }))).toBe('redemption_name_invalid')
    expect(await codeOf(admin.send(api.countRedemptionsByName, { query: { name: '  ' } }))).toBe(
      'redemption_name_invalid',
    )
  })

  it('removes disabled and used codes by separate endpoints', async () => {
    await admin.call(api.deleteDisabledRedemptions)
    await admin.call(api.deleteUsedRedemptions)
    const [off, spent] = await create({ name: 'sort', count: 3 })
    await admin.call(api.disableRedemptions, { body: { ids: [(await find(off!)).id] } })
    await use(await site.signedIn('user'), spent!)

    expect(await admin.call(api.deleteDisabledRedemptions)).toBe(1)
    expect(await admin.call(api.countRedemptionsByName, { query: { name: 'sort' } })).toBe(2)
    expect(await admin.call(api.deleteUsedRedemptions)).toBe(1)
    expect(await admin.call(api.countRedemptionsByName, { query: { name: 'sort' } })).toBe(1)
  })

  it('invalidates a removed code', async () => {
    const [key] = await create()
    await admin.call(api.deleteRedemption, { path: { id: (await find(key!)).id } })

    expect(await codeOf(use(await site.signedIn('user'), key!))).toBe('redemption_invalid')
  })
})

describe('redeeming a code', () => {
  it('pays once for concurrent requests', async () => {
    const [key] = await create({ quota: 12_345 })
    const crowd = await Promise.all(Array.from({ length: 20 }, () => site.signedIn('user')))

    const codes = await Promise.all(crowd.map((client) => codeOf(use(client, ` ${key} `))))

    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'redemption_used')).toHaveLength(19)
    const balances = await Promise.all(crowd.map(async (client) => (await client.call(api.getSelf)).quota))
    expect(balances.toSorted((a, b) => b - a).slice(0, 2)).toEqual([12_345, 0])
  })

  it('pays a multi-use code once per user', async () => {
    const [key] = await create({ is_gift: true, quota: 10 })
    const user = await site.signedIn('user')

    expect(await user.call(api.redeem, { body: { key: key! } })).toEqual({ quota: 10, is_gift: true })
    expect(await codeOf(use(user, key!))).toBe('redemption_repeated')
  })

  it.each<[Fields, string]>([
    [{ valid_from: 9_999_999_999 }, 'redemption_not_started'],
    [{ valid_until: 1000 }, 'redemption_expired'],
  ])('rejects a code outside its validity: %o', async (fields, code) => {
    const [key] = await create(fields)

    expect(await codeOf(use(await site.signedIn('user'), key!))).toBe(code)
  })

  it('delays guesses increasingly, also concurrent ones', async () => {
    const user = await site.signedIn('user')
    const [key] = await create()

    const codes = await Promise.all(Array.from({ length: 12 }, (_, n) => codeOf(use(user, `guess-${n}`))))

    expect(codes.filter((code) => code === 'redemption_invalid').length).toBeLessThanOrEqual(5)
    const { response, envelope } = await use(user, key!)
    expect(envelope).toMatchObject({ code: 'redemption_delayed' })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await codeOf(user.send(api.redeem, { body: { key: ' ' } }))).toBe('redemption_required')
  })

  it('does not delay a correct code after a typo', async () => {
    const user = await site.signedIn('user')
    for (const attempt of ['one', 'two']) await use(user, attempt)
    const [first, second] = await create({ count: 2 })

    expect(await codeOf(use(user, first!))).toBeUndefined()
    expect(await codeOf(use(user, second!))).toBeUndefined()
  })
})
