import { api } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { addToken, type ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let user: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  user = await site.signedIn('user')
})
afterAll(async () => {
  expect(await findImbalances(site.db)).toEqual([])
  await site.close()
})

type Edit = Partial<Omit<api.TokenEdit, 'id'>>
const update = (id: number, edit: Edit) => user.call(api.updateToken, { body: { id, ...edit } })
const codeOf = async (result: ReturnType<ApiClient['send']>) => {
  const { envelope } = await result
  return envelope.success ? undefined : envelope.code
}
const setStatus = (id: number, status: number) =>
  codeOf(user.send(api.updateToken, { query: { status_only: true }, body: { id, status } }))
const spend = (id: number, amount: number) =>
  site.db
    .updateTable('token')
    .set((eb) => ({ remain_quota: eb('remain_quota', '-', amount), drawn_quota: eb('drawn_quota', '+', amount) }))
    .where('id', '=', id)
    .execute()
const HOUR = 3600
const inAnHour = () => Math.floor(Date.now() / 1000) + HOUR

describe('editing an API token', () => {
  it('changes only given fields and keeps the secret', async () => {
    const token = await addToken(user, { name: 'before', remain_quota: 100, unlimited_quota: false })

    const changed = await update(token.id, {
      name: ' after ',
      expired_time: inAnHour(),
      allow_ips: '10.0.0.0/8\n 2001:db8::1 ',
      rate_limit_enabled: true,
      tokens_per_minute: 90_000,
      max_concurrency: 8,
      store_responses: false,
    })

    expect(changed).toMatchObject({
      name: 'after',
      key: token.key,
      remain_quota: 100,
      allow_ips: '10.0.0.0/8\n2001:db8::1',
      rate_limit_enabled: true,
      rate_limit_count: 1000,
      tokens_per_minute: 90_000,
      max_concurrency: 8,
      store_responses: false,
    })
    expect(await user.call(api.getToken, { path: { id: token.id } })).toEqual(changed)
  })

  it('applies the difference to the shown quota', async () => {
    const token = await addToken(user, { remain_quota: 1000, unlimited_quota: false })
    await spend(token.id, 400)

    expect(await update(token.id, { remain_quota: 1500, remain_quota_seen: 1000 })).toMatchObject({
      remain_quota: 1100,
    })
    expect(await update(token.id, { remain_quota: 50 })).toMatchObject({ remain_quota: 50 })
  })

  it('switches between no limit, a quota and a budget', async () => {
    const token = await addToken(user, { remain_quota: 10, unlimited_quota: false })

    expect(await update(token.id, { unlimited_quota: true })).toMatchObject({ unlimited_quota: true, status: 1 })
    const budget = {
      unlimited_quota: false,
      budget_period: 'day',
      budget_quota: 700,
      budget_zone: 'Asia/Shanghai',
    } as const
    const budgeted = await update(token.id, budget)
    expect(budgeted).toMatchObject({ remain_quota: 700, budget_period: 'day', budget_zone: 'Asia/Shanghai' })
    expect(new Date(budgeted.budget_resets_at * 1000).toISOString()).toMatch(/T16:00:00/)
    expect(await update(token.id, { budget_period: '', remain_quota: 5 })).toMatchObject({
      remain_quota: 5,
      budget_resets_at: 0,
    })
  })

  it('resets a due budget when its owner reads it', async () => {
    const token = await addToken(user, { unlimited_quota: false, budget_period: 'day', budget_quota: 900 })
    await spend(token.id, 900)
    expect(await user.call(api.getToken, { path: { id: token.id } })).toMatchObject({ remain_quota: 0, status: 4 })
    await site.db
      .updateTable('token')
      .set({ budget_resets_at: new Date(Date.now() - 1000) })
      .where('id', '=', token.id)
      .execute()

    const [listed] = await user.call(api.searchTokens, { query: { token: token.key.slice(5, 25) } })

    expect(listed).toMatchObject({ id: token.id, remain_quota: 900, status: 1 })
    expect(listed!.budget_resets_at).toBeGreaterThan(Date.now() / 1000)
  })

  it.each<[Edit, string]>([
    [{ name: '' }, 'token_name_invalid'],
    [{ expired_time: 1 }, 'token_expiry_invalid'],
    [{ group: 'svip' }, 'token_group_not_allowed'],
    [{ model_limits: 'nothing-serves-this' }, 'token_model_unknown'],
    [{ allow_ips: '10.0.0.0/8\nnot an address' }, 'token_address_invalid'],
    [{ allow_ips: '10.0.0.0/33' }, 'token_address_invalid'],
    [{ allow_ips: '127.1' }, 'token_address_invalid'],
    [{ budget_period: 'day', budget_quota: 0 }, 'token_budget_invalid'],
    [{ budget_period: 'day', budget_quota: 1, unlimited_quota: true }, 'token_budget_invalid'],
    [
      { budget_period: 'day', budget_quota: 1, unlimited_quota: false, budget_zone: 'Mars/Olympus' },
      'token_zone_unknown',
    ],
    [{ budget_period: 'day', budget_quota: 1, unlimited_quota: false, budget_zone: '+08:00' }, 'token_zone_unknown'],
    [{ rate_limit_count: -1 }, 'invalid_input'],
    [{ rate_limit_success: 1.5 }, 'invalid_input'],
    [{ rate_limit_period: 3e9 }, 'invalid_input'],
    [{ tokens_per_minute: -1 }, 'invalid_input'],
    [{ tokens_per_minute: 1_000_000_001 }, 'invalid_input'],
    [{ max_concurrency: 2.5 }, 'invalid_input'],
    [{ max_concurrency: 100_001 }, 'invalid_input'],
  ])('rejects %o and changes nothing', async (edit, code) => {
    const token = await addToken(user, { unlimited_quota: false })

    expect(await codeOf(user.send(api.updateToken, { body: { id: token.id, name: 'changed', ...edit } }))).toBe(code)
    expect(await user.call(api.getToken, { path: { id: token.id } })).toMatchObject({ name: token.name })
  })

  it('accepts an unchanged past expiry or deleted model', async () => {
    const token = await addToken(user)
    const past = new Date(Date.now() - 60_000)
    await site.db
      .updateTable('token')
      .set({ expires_at: past, model_limits: 'gone' })
      .where('id', '=', token.id)
      .execute()
    const shown = await user.call(api.getToken, { path: { id: token.id } })

    const changed = await update(token.id, { ...shown, name: 'renamed' })

    expect(changed).toMatchObject({ name: 'renamed', status: 3, model_limits: 'gone' })
  })

  it('requires the owner', async () => {
    const token = await addToken(user)
    const other = await site.signedIn('root')

    expect(await codeOf(other.send(api.updateToken, { body: { id: token.id, name: 'mine' } }))).toBe('token_not_found')
    expect(await codeOf(other.send(api.getToken, { path: { id: token.id } }))).toBe('token_not_found')
  })

  it('writes an audit event without the secret', async () => {
    const token = await addToken(user)
    await update(token.id, { name: 'trailed' })

    const [event] = await site.db
      .selectFrom('audit_event')
      .select(['action', 'subject', 'details'])
      .where('action', '=', 'token.update')
      .where('subject', '=', String(token.id))
      .execute()

    expect(event).toMatchObject({ details: { after: { name: 'trailed' } } })
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`${token.key}|sealed|hash`))
  })
})

describe('the status of a token', () => {
  it('can be changed alone', async () => {
    const token = await addToken(user)

    expect(await setStatus(token.id, 2)).toBeUndefined()
    expect(await user.call(api.getToken, { path: { id: token.id } })).toMatchObject({ status: 2, name: token.name })
    expect(await setStatus(token.id, 1)).toBeUndefined()
    expect(await setStatus(token.id, 3)).toBe('token_status_invalid')
  })

  it('cannot be enabled while it is expired or exhausted', async () => {
    const [late, spent] = [await addToken(user), await addToken(user, { unlimited_quota: false, remain_quota: 0 })]
    await site.db
      .updateTable('token')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', late.id)
      .execute()

    expect(await setStatus(late.id, 1)).toBe('token_still_expired')
    expect(await setStatus(spent.id, 1)).toBe('token_still_exhausted')
    expect(await setStatus(late.id, 2)).toBeUndefined()
  })

  it('is enabled by a higher quota or later expiry, unless its owner disabled it', async () => {
    const token = await addToken(user, { unlimited_quota: false, remain_quota: 0 })
    await site.db.updateTable('token').set({ status: 4 }).where('id', '=', token.id).execute()

    expect(await update(token.id, { remain_quota: 10 })).toMatchObject({ status: 1 })
    await setStatus(token.id, 2)
    expect(await update(token.id, { remain_quota: 20 })).toMatchObject({ status: 2 })
  })
})

describe('several new tokens', () => {
  it('have the same fields and a random name suffix', async () => {
    const owner = await site.signedIn('user')

    await owner.call(api.createToken, { body: { name: 'fleet', count: 5, remain_quota: 77 } })

    const made = await owner.call(api.listTokens)
    expect(made.map(({ name }) => name.replace(/^fleet-[A-Za-z0-9]{6}$/, 'fleet-*')).toSorted()).toEqual([
      'fleet',
      ...Array.from({ length: 4 }, () => 'fleet-*'),
    ])
    expect(made.every(({ remain_quota }) => remain_quota === 77)).toBe(true)
    expect(new Set(made.map(({ key }) => key)).size).toBe(5)
  })

  it.each([0, 101])('cannot be %i', async (count) => {
    expect(await codeOf(user.send(api.createToken, { body: { name: 'x', count } }))).toBe('token_count_invalid')
  })

  it('never exceed the limit, also concurrently', async () => {
    const owner = await site.signedIn('user')
    await sql`
      insert into token (user_id, hash, sealed_key, hint, name)
      select ${owner.userId}, 'hash-' || n, '', '', 'token ' || n from generate_series(1, 900) n
    `.execute(site.db)

    const responses = await Promise.all(
      ['a', 'b'].map((name) =>
        codeOf(owner.send(api.createToken, { body: { name, count: 100, unlimited_quota: true } })),
      ),
    )

    expect(new Set(responses)).toEqual(new Set(['token_limit_reached', undefined]))
  })
})

describe('searching tokens', () => {
  it('matches parts of name and secret, with paging and total', async () => {
    const owner = await site.signedIn('user')
    await owner.call(api.createToken, { body: { name: '50%_off', count: 3 } })
    const other = await addToken(owner, { name: 'Other' })
    const find = (query: Record<string, string | number>) => owner.send(api.searchTokens, { query })
    const names = async (query: Record<string, string>) =>
      (await owner.call(api.searchTokens, { query })).map(({ name }) => name)

    expect(await names({ keyword: 'OTH' })).toEqual(['Other'])
    expect(await names({ keyword: '%_' })).toHaveLength(3)
    expect(await names({ token: `sk-${other.key}` })).toEqual(['Other'])
    expect(await names({ keyword: '50%', token: other.key.slice(0, 20) })).toEqual([])
    const { response, envelope } = await find({ keyword: '50%', size: 2, p: 1 })
    expect(response.headers.get('x-total-count')).toBe('3')
    expect((envelope as { data: unknown[] }).data).toHaveLength(1)
  })
})
