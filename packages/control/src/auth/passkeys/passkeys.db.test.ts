import { api } from '@tidegate/contract'
import { apiClient, softwarePasskey, type SoftwarePasskey, type PasskeyDeviation } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADDRESS, errorCode, startSecuritySite, type Client, type SecuritySite } from '../../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
  await site.set({ GitHubClientId: 'x', GitHubClientSecret: 'x' })
})
afterAll(() => site.close())
beforeEach(async () => {
  site.forgetLimits()
  await site.set({ ServerAddress: ADDRESS, PasswordLoginEnabled: 'true', GitHubOAuthEnabled: 'false' })
})

/** Registers with an invalid response; returns the error code. */
async function tryAdding(client: Client, passkey: SoftwarePasskey, straying: PasskeyDeviation = {}) {
  const { ticket, options } = await client.call(api.askForNewPasskey)
  const body = { ticket, response: passkey.create(options, straying), name: 'harbour key' }
  return errorCode(client.send(api.addPasskey, { body }))
}

/** Logs in in a new browser; returns its user or the error code. */
async function logIn(passkey: SoftwarePasskey, straying: PasskeyDeviation = {}) {
  const browser = apiClient(site.url)
  const { ticket, options } = await browser.call(api.askForPasskey, { body: {} })
  const { envelope } = await browser.send(api.loginWithPasskey, {
    body: { ticket, response: passkey.get(options, straying) },
  })
  return envelope.success ? api.User.parse(envelope.data).id : envelope.code
}

const STRAYING: [string, PasskeyDeviation][] = [
  ['from a page of another site', { origin: 'https://gate.example.evil.test' }],
  ['from the same host over plain http', { origin: 'http://gate.example' }],
  ['made for another site', { rpId: 'evil.test' }],
  ['to another question', { challenge: 'bm90IHRoZSBxdWVzdGlvbg' }],
  ['without the owner verified', { userVerified: false }],
  ['of another kind', { type: 'payment.get' }],
]

describe('adding a passkey', () => {
  it('requires user verification and uses an anonymous user handle', async () => {
    const client = await site.signedIn('user')

    const { options } = await client.call(api.askForNewPasskey)
    const again = await client.call(api.askForNewPasskey)

    expect(options).toMatchObject({
      rp: { id: 'gate.example', name: 'Harbour <1>' },
      user: { name: client.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: [],
    })
    const handle = Buffer.from((options['user'] as { id: string }).id, 'base64url')
    expect(handle).toHaveLength(32)
    expect(again.options['user']).toEqual(options['user'])
    expect(again.options['challenge']).not.toBe(options['challenge'])
  })

  it('stores it, records it and notifies the owner', async () => {
    const client = await site.signedIn('user')
    const email = `${client.username}@example.com`
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()
    const passkey = softwarePasskey(ADDRESS, { synced: true })
    const { ticket, options } = await client.call(api.askForNewPasskey)
    const body = { ticket, response: passkey.create(options), name: '  [phone](x)\0 ' }

    const added = await client.call(api.addPasskey, { body, headers: { 'accept-language': 'en' } })

    expect(added).toMatchObject({ name: '[phone](x)', backed_up: true, last_used_at: null })
    expect(await client.call(api.getSecurity)).toMatchObject({ passkeys: [added] })
    expect(await site.auditsOf(client.userId!)).toMatchObject([
      { action: 'user.login' },
      { action: 'user.passkey_add', details: { passkey: '[phone](x)' } },
    ])
    const mail = await site.outboxMail(email, 'A passkey was added')
    expect(mail.text).toContain('[phone](x)')
    const messages = await site.db.selectFrom('message').select('content').execute()
    expect(messages.at(-1)!.content).toContain('\\[phone\\]')
    const { options: next } = await client.call(api.askForNewPasskey)
    expect(next).toMatchObject({ excludeCredentials: [{ id: passkey.id, transports: ['hybrid', 'internal'] }] })
  })

  it.each(STRAYING)('rejects a response %s', async (_, straying) => {
    const client = await site.signedIn('user')

    expect(await tryAdding(client, softwarePasskey(ADDRESS), straying)).toBe('passkey_refused')

    expect(await client.call(api.getSecurity)).toMatchObject({ passkeys: [] })
  })

  it.each([
    [{}],
    [{ id: 7, rawId: 7, type: 'public-key', response: null }],
    [{ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'oA' } }],
    [{ id: ['x'], response: { clientDataJSON: {} } }],
    [{ id: 'x\0', rawId: 'x\0', type: 'public-key', response: {} }],
  ])('rejects %j', async (response) => {
    const client = await site.signedIn('user')
    const { ticket } = await client.call(api.askForNewPasskey)
    const browser = apiClient(site.url)
    const question = await browser.call(api.askForPasskey, { body: {} })

    expect(await errorCode(client.send(api.addPasskey, { body: { ticket, response, name: 'x' } }))).toBe(
      'passkey_refused',
    )
    const login = browser.send(api.loginWithPasskey, { body: { ticket: question.ticket, response } })
    expect(await errorCode(login)).toBe('passkey_refused')
  })

  it('accepts a response once, for its user, within five minutes', async () => {
    const [client, other] = [await site.signedIn('user'), await site.signedIn('user')]
    const question = await client.call(api.askForNewPasskey)
    const body = { ticket: question.ticket, response: softwarePasskey(ADDRESS).create(question.options), name: 'x' }
    expect(await errorCode(other.send(api.addPasskey, { body }))).toBe('passkey_refused')
    expect(await errorCode(client.send(api.addPasskey, { body }))).toBe('passkey_refused') // the challenge is consumed

    const late = await client.call(api.askForNewPasskey)
    site.passSeconds(301)
    const lateBody = { ticket: late.ticket, response: softwarePasskey(ADDRESS).create(late.options), name: 'x' }
    expect(await errorCode(client.send(api.addPasskey, { body: lateBody }))).toBe('passkey_refused')
  })

  it('rejects a credential that is already registered', async () => {
    const [client, other] = [await site.signedIn('user'), await site.signedIn('user')]
    const passkey = await site.addPasskey(client)

    expect(await tryAdding(client, passkey)).toBe('passkey_known')
    expect(await tryAdding(other, passkey)).toBe('passkey_known')
  })

  it('stops at ten, also for concurrent requests', async () => {
    const client = await site.signedIn('user')
    for (let count = 0; count < 8; count += 1) await site.addPasskey(client)

    const results = await Promise.all(Array.from({ length: 5 }, () => tryAdding(client, softwarePasskey(ADDRESS))))

    expect(results.filter((code) => code === undefined)).toHaveLength(2)
    expect(results.filter((code) => code === 'passkey_limit')).toHaveLength(3)
    expect(await errorCode(client.send(api.askForNewPasskey))).toBe('passkey_limit')
    expect((await client.call(api.getSecurity)).passkeys).toHaveLength(10)
  })

  it.each(['', 'http://203.0.113.7:3000', 'https://[2001:db8::7]'])('requires a host name, not %j', async (address) => {
    const client = await site.signedIn('user')
    await site.set({ SMTPServer: '', ServerAddress: address })

    expect(await errorCode(client.send(api.askForNewPasskey))).toBe('passkey_address_unset')
    expect(await errorCode(apiClient(site.url).send(api.askForPasskey, { body: {} }))).toBe('passkey_address_unset')
  })

  it('requires re-authentication', async () => {
    const client = await site.signedIn('user')
    const { ticket, options } = await client.call(api.askForNewPasskey)
    site.passSeconds(601)

    expect(await errorCode(client.send(api.askForNewPasskey))).toBe('proof_required')
    const body = { ticket, response: softwarePasskey(ADDRESS).create(options), name: 'x' }
    expect(await errorCode(client.send(api.addPasskey, { body }))).toBe('proof_required')
  })
})

describe('logging in with a passkey', () => {
  it('needs no username and works while password login is disabled', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)
    await site.set({ GitHubOAuthEnabled: 'true', PasswordLoginEnabled: 'false' })

    expect(await logIn(passkey)).toBe(client.userId)

    expect((await site.auditsOf(client.userId!)).at(-1)).toMatchObject({
      action: 'user.login',
      details: { method: 'passkey' },
    })
    const { passkeys } = await client.call(api.getSecurity)
    expect(passkeys).toMatchObject([{ last_used_at: expect.any(String) }])
  })

  it.each(STRAYING)('rejects a response %s', async (_, straying) => {
    const passkey = await site.addPasskey(await site.signedIn('user'))

    expect(await logIn(passkey, straying)).toBe('passkey_refused')
  })

  it('rejects the signature of another key and a passkey of another user', async () => {
    const [client, other] = [await site.signedIn('user'), await site.signedIn('user')]
    const passkey = await site.addPasskey(client)
    const unknownPasskey = softwarePasskey(ADDRESS)
    const { options } = await other.call(api.askForNewPasskey)

    const browser = apiClient(site.url)
    const question = await browser.call(api.askForPasskey, { body: {} })
    const forged = { ...unknownPasskey.get(question.options), id: passkey.id, rawId: passkey.id }
    const forgery = browser.send(api.loginWithPasskey, { body: { ticket: question.ticket, response: forged } })

    expect(await errorCode(forgery)).toBe('passkey_refused')
    expect(await logIn(passkey, { userHandle: (options['user'] as { id: string }).id })).toBe('passkey_refused')
    expect(await logIn(unknownPasskey)).toBe('passkey_refused')
  })

  it('accepts a response once, also for twenty concurrent requests, within five minutes', async () => {
    site.liftLimits()
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client, softwarePasskey(ADDRESS, { synced: true }))
    const browser = apiClient(site.url)
    const { ticket, options } = await browser.call(api.askForPasskey, { body: {} })
    const body = { ticket, response: passkey.get(options) }

    const results = await Promise.all(
      Array.from({ length: 20 }, () => errorCode(apiClient(site.url).send(api.loginWithPasskey, { body }))),
    )
    const late = await browser.call(api.askForPasskey, { body: {} })
    site.passSeconds(301)
    const lateBody = { ticket: late.ticket, response: passkey.get(late.options) }

    expect(results.filter((code) => code === undefined)).toHaveLength(1)
    expect(results.filter((code) => code === 'passkey_refused')).toHaveLength(19)
    expect(await errorCode(browser.send(api.loginWithPasskey, { body: lateBody }))).toBe('passkey_refused')
  })

  it('rejects a counter that does not increase, except for authenticators without counters', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)
    expect(await logIn(passkey, { counter: 7 })).toBe(client.userId)

    expect(await logIn(passkey, { counter: 7 })).toBe('passkey_refused')
    expect(await logIn(passkey, { counter: 3 })).toBe('passkey_refused')
    expect(await logIn(passkey, { counter: 0 })).toBe('passkey_refused')
    expect(await logIn(passkey, { counter: 8 })).toBe(client.userId)

    const synced = await site.addPasskey(client, softwarePasskey(ADDRESS, { synced: true }))
    expect(await logIn(synced)).toBe(client.userId)
    expect(await logIn(synced)).toBe(client.userId)
  })

  it('accepts one of two clones with the same counter', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)

    const results = await Promise.all(Array.from({ length: 4 }, () => logIn(passkey, { counter: 9 })))

    expect(results.filter((result) => result === client.userId)).toHaveLength(1)
    expect(results.filter((result) => result === 'passkey_refused')).toHaveLength(3)
  })

  it.each([
    ['banned', { status: 2 }, 'user_banned'],
    ['deregistered', { deleted_at: new Date() }, 'user_deregistered'],
  ] as const)('rejects a user who was %s', async (_, change, code) => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)
    await site.db.updateTable('user').set(change).where('id', '=', client.userId!).execute()

    expect(await logIn(passkey)).toBe(code)
  })

  it('delays an address after wrong responses, but not other users of an office', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)
    for (let visits = 0; visits < 30; visits += 1) expect(await logIn(passkey)).toBe(client.userId)
    const unknownPasskey = softwarePasskey(ADDRESS)
    for (let tries = 0; tries < 5; tries += 1) expect(await logIn(unknownPasskey)).toBe('passkey_refused')

    expect(await logIn(passkey)).toBe('login_delayed')
  })
})

describe('an own passkey', () => {
  const idOf = async (client: Client) => (await client.call(api.getSecurity)).passkeys[0]!.id

  it('can be renamed and removed', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client)
    const id = await idOf(client)

    await client.call(api.renamePasskey, { path: { id }, body: { name: 'lighthouse' } })
    expect(await client.call(api.getSecurity)).toMatchObject({ passkeys: [{ id, name: 'lighthouse' }] })
    await client.call(api.removePasskey, { path: { id } })

    expect(await client.call(api.getSecurity)).toMatchObject({ passkeys: [] })
    expect(await logIn(passkey)).toBe('passkey_refused')
    expect(await errorCode(client.send(api.removePasskey, { path: { id } }))).toBe('passkey_not_found')
    expect((await site.auditsOf(client.userId!)).at(-1)).toMatchObject({
      action: 'user.passkey_remove',
      details: { passkey: 'lighthouse' },
    })
  })

  it('cannot be removed while it is the last login method', async () => {
    const client = await site.signedIn('user')
    await site.addPasskey(client)
    const id = await idOf(client)
    const remove = () => errorCode(client.send(api.removePasskey, { path: { id } }))
    await site.db.updateTable('user').set({ password_hash: null }).where('id', '=', client.userId!).execute()
    expect(await remove()).toBe('last_sign_in')

    const identity = { user_id: client.userId!, provider: 'telegram', subject: client.username }
    await site.db.insertInto('identity').values(identity).execute()
    expect(await remove()).toBe('last_sign_in') // linked, but the provider is disabled

    await site.addPasskey(client)
    expect(await remove()).toBeUndefined()
    expect((await client.call(api.getSecurity)).passkeys).toHaveLength(1)
  })

  it('can be removed when an enabled provider is linked', async () => {
    const client = await site.signedIn('user')
    await site.addPasskey(client)
    await site.db.updateTable('user').set({ password_hash: null }).where('id', '=', client.userId!).execute()
    const identity = { user_id: client.userId!, provider: 'github', subject: client.username, label: 'octo' }
    await site.db.insertInto('identity').values(identity).execute()
    await site.set({ GitHubOAuthEnabled: 'true' })
    expect(await client.call(api.getSecurity)).toMatchObject({
      has_password: false,
      identities: [{ service: 'github', label: 'octo' }],
    })

    await client.call(api.removePasskey, { path: { id: await idOf(client) } })
  })

  it('remains when both passkeys are removed concurrently', async () => {
    const client = await site.signedIn('user')
    await site.addPasskey(client)
    await site.addPasskey(client)
    await site.db.updateTable('user').set({ password_hash: null }).where('id', '=', client.userId!).execute()
    const { passkeys } = await client.call(api.getSecurity)

    const results = await Promise.all(
      passkeys.map(({ id }) => errorCode(client.send(api.removePasskey, { path: { id } }))),
    )

    expect(results).toHaveLength(2)
    expect(results).toContain('last_sign_in')
    expect(results).toContain(undefined)
  })
})
