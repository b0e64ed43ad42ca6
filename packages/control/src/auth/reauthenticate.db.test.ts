import { api, ROLES } from '@tidegate/contract'
import { apiClient, softwarePasskey } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../test/start-site.ts'
import { ADDRESS, errorCode, startSecuritySite, type Client, type SecuritySite } from '../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

const renew = (client: Client) => errorCode(client.send(api.renewAccessToken))
const expireReauth = () => site.passSeconds(601)

/** Sends requests with the access token of a client. */
async function program(client: Client) {
  const token = await client.call(api.renewAccessToken)
  const headers = { authorization: token, 'tidegate-user': String(client.userId) }
  return (method: 'POST' | 'PUT', url: string, payload: object = {}) =>
    site.app.inject({ method, url, payload, headers }).then((result) => ({ envelope: result.json<object>() }))
}

describe('re-authentication', () => {
  it('is a login of the last ten minutes', async () => {
    const client = await site.signedIn('user')
    expect(await renew(client)).toBeUndefined()
    const { proved_until } = await client.call(api.getSecurity)
    expect(Date.parse(proved_until!) - site.deps.now().getTime()).toBe(600_000)

    expireReauth()

    expect(await renew(client)).toBe('proof_required')
  })

  it.each(['code', 'passkey'] as const)('accepts a %s, for this session only', async (kind) => {
    const client = await site.signedIn('user')
    const { secret } = await site.enableTotp(client)
    const passkey = await site.addPasskey(client)
    const { ticket } = await site.halfLogin(client)
    const { browser } = await site.finish({ login_ticket: ticket, code: site.freshCode(secret) })
    expireReauth()
    const question = await client.call(api.askForProof)
    const shown = {
      code: { code: site.codeNow(secret) },
      passkey: { passkey: { ticket: question.ticket, response: passkey.get(question.options) } },
    }[kind]

    const { proved_until } = await client.call(api.proveOwner, { body: shown })

    expect(Date.parse(proved_until) - site.deps.now().getTime()).toBe(600_000)
    expect(await client.call(api.getSecurity)).toMatchObject({ proved_until })
    expect(await renew(client)).toBeUndefined()
    expect(await errorCode(browser!.send(api.renewAccessToken))).toBe('proof_required')
    expireReauth()
    expect(await renew(client)).toBe('proof_required')
  })

  it('accepts the password without a stronger method', async () => {
    const client = await site.signedIn('user')
    expireReauth()
    expect(await client.call(api.getSecurity)).toMatchObject({ reauth_methods: ['password'] })

    await client.call(api.proveOwner, { body: { password: PASSWORD } })

    expect(await renew(client)).toBeUndefined()
  })

  it.each([
    ['two-factor authentication', (client: Client) => site.enableTotp(client), ['code']],
    ['a passkey', (client: Client) => site.addPasskey(client), ['passkey']],
  ])('rejects the password of an account with %s', async (_, add, methods) => {
    const client = await site.signedIn('user')
    await add(client)
    expireReauth()
    const prove = (password: string) => errorCode(client.send(api.proveOwner, { body: { password } }))

    expect(await prove(PASSWORD)).toBe('reauth_factor_required')
    expect(await prove('not the password')).toBe('reauth_factor_required')
    expect(await client.call(api.getSecurity)).toMatchObject({ reauth_methods: methods })
    expect(await errorCode(client.send(api.disableTotp))).toBe('proof_required')
    expect(await renew(client)).toBe('proof_required')
  })

  it('is not the old password sent with a new one', async () => {
    const { client } = await site.withTotp()
    expireReauth()

    const body = { username: client.username, password: 'ebb-and-flow', original_password: PASSWORD }
    expect(await errorCode(client.send(api.updateSelf, { body }))).toBeUndefined()

    expect(await errorCode(client.send(api.getSelf))).toBeUndefined()
    expect(await errorCode(client.send(api.disableTotp))).toBe('proof_required')
  })

  it('accepts the password while the site has no passkey address', async () => {
    const client = await site.signedIn('user')
    await site.addPasskey(client)
    await site.set({ SMTPServer: '', ServerAddress: '' })
    expireReauth()

    expect(await errorCode(client.send(api.proveOwner, { body: { password: PASSWORD } }))).toBeUndefined()
    await site.set({ ServerAddress: ADDRESS, SMTPServer: '127.0.0.1' })
  })

  it('rejects wrong credentials', async () => {
    const { client } = await site.withTotp()
    const passkey = await site.addPasskey(client)
    const other = await site.signedIn('user')
    const othersPasskey = await site.addPasskey(other)
    expireReauth()
    const prove = (body: object) => errorCode(client.send(api.proveOwner, { body }))
    const ask = () => client.call(api.askForProof)
    const [first, second] = [await ask(), await ask()]
    const login = await apiClient(site.url).call(api.askForPasskey, { body: {} })
    const othersQuestion = await (await site.signedIn('user')).send(api.askForProof)

    expect(await prove({ password: 'not the password' })).toBe('reauth_factor_required')
    expect(await prove({ code: 'abcdef' })).toBe('second_factor_wrong')
    const othersResponse = { ticket: first.ticket, response: othersPasskey.get(first.options) }
    expect(await prove({ passkey: othersResponse })).toBe('passkey_refused')
    const loginResponse = { ticket: login.ticket, response: passkey.get(login.options) }
    expect(await prove({ passkey: loginResponse })).toBe('passkey_refused')
    const strayed = passkey.get(second.options, { origin: 'https://evil.test' })
    expect(await prove({ passkey: { ticket: second.ticket, response: strayed } })).toBe('passkey_refused')
    expect(othersQuestion.envelope).toMatchObject({ code: 'passkey_not_found' })
    expect(await prove({})).toBe('invalid_params')
    expect(await prove({ password: PASSWORD, code: '123456' })).toBe('invalid_params')
    expect(await renew(client)).toBe('proof_required')
  })

  it('rejects codes while two-factor authentication is not enabled', async () => {
    const client = await site.signedIn('user')
    const { secret } = await client.call(api.beginTotp)

    const result = client.send(api.proveOwner, { body: { code: site.codeNow(secret) } })

    expect(await errorCode(result)).toBe('second_factor_wrong')
  })

  it.each([
    ['passwords', { password: 'guess' }, { password: PASSWORD }],
    ['codes', { code: '!' }, { code: '?' }],
  ])('delays guesses of %s', async (_, guess, next) => {
    const client = await site.signedIn('user')
    if ('code' in guess) await site.enableTotp(client)
    for (let tries = 0; tries < 5; tries += 1) await client.send(api.proveOwner, { body: guess })

    expect(await errorCode(client.send(api.proveOwner, { body: next }))).toBe('login_delayed')
  })

  it('is not possible for programs, which pass only where allowed', async () => {
    const call = await program(await site.freshRoot())
    const user = await site.signedIn('user')
    const { username } = user

    expect(await errorCode(call('POST', '/api/user/prove', { password: PASSWORD }))).toBe('session_required')
    expect(await errorCode(call('POST', '/api/user/prove/options'))).toBe('session_required')
    expect(await errorCode(call('POST', '/api/user/passkeys/options'))).toBe('session_required')
    expect(await errorCode(call('PUT', '/api/option', { key: 'SMTPToken', value: 'x' }))).toBeUndefined()
    const edit = { id: user.userId, username, password: 'ebb-and-flow' }
    expect(await errorCode(call('PUT', '/api/user', edit))).toBeUndefined()
    const reset = { id: user.userId, action: 'reset_security' }
    expect(await errorCode(call('POST', '/api/user/manage', reset))).toBeUndefined()
  })

  it('is required for secret options, passwords of others and resets of second factors', async () => {
    const root = await site.freshRoot()
    const user = await site.signedIn('user')
    const { username, userId: id } = user
    const set = (key: string) => errorCode(root.send(api.updateOption, { body: { key, value: '' } }))
    const edit = (password?: string) =>
      errorCode(root.send(api.updateUser, { body: { id: id!, username, ...(password && { password }) } }))
    const reset = () => errorCode(root.send(api.manageUser, { body: { id: id!, action: 'reset_security' } }))
    expireReauth()

    expect([await set('SMTPToken'), await edit('ebb-and-flow'), await reset()]).toEqual(
      Array.from({ length: 3 }, () => 'proof_required'),
    )
    expect([await set('general_setting.docs_link'), await edit()]).toEqual([undefined, undefined])

    await root.call(api.proveOwner, { body: { password: PASSWORD } })
    expect([await set('SMTPToken'), await edit('ebb-and-flow'), await reset()]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the security overview', () => {
  it('shows the methods of the account without secrets', async () => {
    const { client } = await site.withTotp()
    const passkey = await site.addPasskey(client, softwarePasskey(ADDRESS))

    const security = await client.call(api.getSecurity)

    expect(security).toMatchObject({
      has_password: true,
      totp: { recovery_codes_left: 10 },
      passkeys: [{ name: 'harbour key', backed_up: false }],
      identities: [],
    })
    expect(JSON.stringify(security)).not.toContain(passkey.id)
  })
})

describe('resetting second factors by an administrator', () => {
  const resetBy = (client: Client, id: number) =>
    errorCode(client.send(api.manageUser, { body: { id, action: 'reset_security' } }))

  it('removes all factors, revokes the sessions, records it and notifies the user', async () => {
    const admin = await site.signedIn('admin')
    const { client } = await site.withTotp()
    const passkey = await site.addPasskey(client)
    const id = client.userId!

    expect(await resetBy(admin, id)).toBeUndefined()

    expect(await errorCode(client.send(api.getSelf))).toBe('not_logged_in')
    await client.login(client.username, PASSWORD)
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: null, passkeys: [] })
    const browser = apiClient(site.url)
    const { ticket, options } = await browser.call(api.askForPasskey, { body: {} })
    const body = { ticket, response: passkey.get(options) }
    expect(await errorCode(browser.send(api.loginWithPasskey, { body }))).toBe('passkey_refused')
    expect((await site.auditsOf(id)).find(({ action }) => action === 'user.reset_security')).toMatchObject({
      actor_id: admin.userId,
    })
    const { items } = await client.call(api.listOwnLogs)
    expect(items.map(({ content }) => content)).toContain(
      'Two-factor authentication and passkeys removed by an administrator',
    )
    const messages = await site.db.selectFrom('message').select('title').execute()
    expect(messages.map(({ title }) => title)).toContain('两步验证和通行密钥已被重置')
  })

  it('follows the ranks and never affects the super admin', async () => {
    const [admin, peer, root] = [await site.signedIn('admin'), await site.signedIn('admin'), await site.freshRoot()]

    expect(await resetBy(admin, peer.userId!)).toBe('rank_update')
    expect(await resetBy(admin, root.userId!)).toBe('rank_update')
    expect(await resetBy(root, root.userId!)).toBe('root_protected')
    expect(await resetBy(root, admin.userId!)).toBeUndefined()
    const { role } = await site.db
      .selectFrom('user')
      .select('role')
      .where('id', '=', admin.userId!)
      .executeTakeFirstOrThrow()
    expect(role).toBe(ROLES.admin)
  })
})

describe('deregistration', () => {
  it('removes all second factors', async () => {
    const { client } = await site.withTotp()
    await site.addPasskey(client)
    const root = await site.freshRoot()
    const id = client.userId!

    await client.call(api.deleteSelf)

    for (const table of ['totp', 'recovery_code', 'passkey'] as const) {
      expect(await site.db.selectFrom(table).selectAll().where('user_id', '=', id).execute()).toEqual([])
    }
    await root.call(api.manageUser, { body: { id, action: 'restore' } })
    await client.login(client.username, PASSWORD)
  })
})
