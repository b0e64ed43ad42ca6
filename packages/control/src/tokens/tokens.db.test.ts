import { api, API_TOKEN, hasWrongChecksum } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { tokens } from '@tidegate/storage'
import { addToken, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let user: ApiClient
let root: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  user = await site.signedIn('user')
  root = await site.signedIn('root')
})
afterAll(() => site.close())

describe('an API token', () => {
  it('has 48 characters that only its owner can read', async () => {
    const token = await addToken(user, { name: '我的令牌' })

    const row = await site.db.selectFrom('token').selectAll().where('id', '=', token.id).executeTakeFirstOrThrow()

    expect(token.key).toMatch(/^tg_a0_[A-Za-z0-9]{42}$/)
    expect(hasWrongChecksum(API_TOKEN, token.key)).toBe(false)
    expect(JSON.stringify(row)).not.toContain(token.key)
    expect(await root.call(api.listTokens)).toEqual([])
    await expect(root.call(api.deleteToken, { path: { id: token.id } })).rejects.toMatchObject({
      code: 'token_not_found',
    })
  })

  it('has TPM and concurrency limits if set', async () => {
    const limited = await addToken(user, { tokens_per_minute: 60_000, max_concurrency: 5 })
    const free = await addToken(user)

    expect(limited).toMatchObject({ tokens_per_minute: 60_000, max_concurrency: 5 })
    expect(free).toMatchObject({ tokens_per_minute: 0, max_concurrency: 0 })
  })

  it('gets a ledger account for its limit', async () => {
    const token = await addToken(user, { unlimited_quota: false, remain_quota: 12_345 })

    expect(token).toMatchObject({ remain_quota: 12_345, used_quota: 0, expired_time: -1, status: 1 })
    expect(await findImbalances(site.db)).toEqual([])
  })

  it.each([
    [{ name: '  ' }, 'token_name_invalid'],
    [{ name: '字'.repeat(31) }, 'token_name_invalid'],
    [{ expired_time: 1 }, 'token_expiry_invalid'],
    [{ expired_time: 0 }, 'token_expiry_invalid'],
    [{ group: 'svip' }, 'token_group_not_allowed'],
    [{ remain_quota: -1 }, 'invalid_input'],
    [{ remain_quota: 1.5 }, 'invalid_input'],
    [{ tokens_per_minute: -1 }, 'invalid_input'],
    [{ max_concurrency: 1e9 }, 'invalid_input'],
  ])('is rejected with %o', async (change, code) => {
    const { envelope } = await user.send(api.createToken, { body: { name: 'x', ...change } })

    expect(envelope).toMatchObject({ success: false, code })
  })

  describe('with the group auto', () => {
    const change = async (options: Record<string, string>) => {
      for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
    }

    it('is rejected while auto resolves to no usable group', async () => {
      const { envelope } = await user.send(api.createToken, { body: { name: 'x', group: 'auto' } })

      expect(envelope).toMatchObject({ success: false, code: 'token_group_not_allowed' })
      expect(await user.call(api.listOwnGroups)).not.toHaveProperty('auto')
    })

    it('is available for configured groups, and the default if configured', async () => {
      await change({ AutoGroups: '["vip","default"]' })
      expect(await user.call(api.listOwnGroups)).toMatchObject({ auto: { desc: '' } })
      expect(await addToken(user, { group: 'auto' })).toMatchObject({ group: 'auto' })
      expect(await addToken(user)).toMatchObject({ group: '' })

      await change({ DefaultUseAutoGroup: 'true' })
      expect(await user.call(api.listOwnGroups)).toMatchObject({ auto: { is_default: true } })
      expect(await addToken(user)).toMatchObject({ group: 'auto' })
      expect(await addToken(user, { group: '' })).toMatchObject({ group: '' })

      await change({ AutoGroups: '[]', DefaultUseAutoGroup: 'false' })
    })
  })

  it('writes audit events of creation and deletion without the secret', async () => {
    const client = await site.signedIn('user')
    const token = await addToken(client, { name: 'trailed' })
    await client.call(api.deleteToken, { path: { id: token.id } })

    const trail = await site.db
      .selectFrom('audit_event')
      .select(['action', 'subject', 'details', 'client_ip'])
      .where('actor_id', '=', client.userId!)
      .where('action', 'like', 'token.%')
      .orderBy('id')
      .execute()

    const about = { subject: String(token.id), client_ip: '127.0.0.1' }
    expect(trail).toEqual([
      { action: 'token.create', details: { name: 'trailed', group: '' }, ...about },
      { action: 'token.delete', details: {}, ...about },
    ])
    expect(JSON.stringify(trail)).not.toContain(token.key)
  })

  it('limits its name in characters, not bytes', async () => {
    await addToken(user, { name: '字'.repeat(30) })
  })

  it('is invalid after deletion on all nodes', async () => {
    const client = await site.signedIn('user')
    const token = await addToken(client)
    const payloads: string[] = []
    const listener = site.newClient()
    await listener.connect()
    listener.on('notification', ({ payload }) => payloads.push(payload ?? ''))
    await listener.query('listen tidegate')

    await client.call(api.deleteToken, { path: { id: token.id } })

    await expect.poll(() => payloads.join()).toContain(site.deps.vault.keyedHash('token-hash', token.key))
    expect(await client.call(api.listTokens)).toEqual([])
    await listener.end()
  })
})

it('counts credit held by gateways as remaining', async () => {
  const token = await addToken(user, { unlimited_quota: false, remain_quota: 500 })
  await site.db.updateTable('token').set({ remain_quota: 0 }).where('id', '=', token.id).execute()
  const lease = { holder: 'a node', user_id: user.userId!, token_id: token.id, amount: 500 }
  await site.db.insertInto('credit_lease').values(lease).execute()

  const listed = (await user.call(api.listTokens)).find(({ id }) => id === token.id)
  const caller = await tokens.findCaller(site.db, site.deps.vault.keyedHash('token-hash', token.key))

  expect(listed?.remain_quota).toBe(500)
  expect(caller?.remain_quota).toBe(500)
})
