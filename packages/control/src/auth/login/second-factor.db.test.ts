import { api } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import { apiClient, softwarePasskey } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../test/start-site.ts'
import { ADDRESS, errorCode, startSecuritySite, type SecuritySite } from '../../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

const WRONG_CODE = 'aaaa-aaaa-aa'

describe('a login with two-factor authentication', () => {
  it('returns a ticket for the password, and a session for ticket and code', async () => {
    const { client, secret } = await site.withTotp()
    const body = { username: client.username, password: PASSWORD }

    const { response, envelope } = await apiClient(site.url).send(api.login, { body })
    const needed = api.SecondFactorNeeded.parse(envelope.data)
    const { browser, user } = await site.finish({ login_ticket: needed.ticket, code: site.freshCode(secret) })

    expect(envelope).toMatchObject({ success: false, code: 'second_factor_required' })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(needed.methods).toEqual(['totp', 'recovery_code'])
    expect(user).toMatchObject({ id: client.userId, username: client.username })
    expect(await browser!.call(api.getSelf)).toMatchObject({ id: client.userId })
    expect((await site.auditsOf(client.userId!)).at(-1)).toMatchObject({
      action: 'user.login',
      actor_id: client.userId,
      details: { method: 'password', second: 'totp' },
    })
  })

  it('records the method of logins without it too', async () => {
    const client = await site.signedIn('user')

    expect(await site.auditsOf(client.userId!)).toMatchObject([
      { action: 'user.login', details: { method: 'password' } },
    ])
  })

  it('accepts a recovery code once, in any spelling, and notifies the owner', async () => {
    const { client, recoveryCodes } = await site.withTotp()
    const email = `${client.username}@example.com`
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()
    const code = recoveryCodes[3]!
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `

    const first = await site.finish({ login_ticket: (await site.halfLogin(client)).ticket, code: typed })
    const second = await site.finish({ login_ticket: (await site.halfLogin(client)).ticket, code })

    expect(first.user).toMatchObject({ id: client.userId })
    expect(second).toEqual({ error: 'second_factor_wrong' })
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 9 } })
    expect((await site.outboxMail(email, '恢复码')).text).toContain('还剩 9 个')
    const logins = (await site.auditsOf(client.userId!)).filter(({ action }) => action === 'user.login')
    expect(logins.at(-1)).toMatchObject({ details: { second: 'recovery_code' } })
  })

  it('accepts a recovery code once for twenty concurrent requests', async () => {
    site.liftLimits()
    const { client, recoveryCodes } = await site.withTotp()
    const tickets = await Promise.all(Array.from({ length: 20 }, () => site.halfLogin(client)))

    const responses = await Promise.all(
      tickets.map(({ ticket }) => site.finish({ login_ticket: ticket, code: recoveryCodes[0] })),
    )

    const codes = responses.map(({ error }) => error).filter((error) => error !== undefined)
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'second_factor_wrong'))
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 9 } })
  })

  it('accepts a passkey of the account only', async () => {
    const { client } = await site.withTotp()
    const passkey = await site.addPasskey(client)
    const otherUser = await site.signedIn('user')
    const strange = await site.addPasskey(otherUser)
    const needed = await site.halfLogin(client)
    const ask = () => apiClient(site.url).call(api.askForPasskey, { body: { login_ticket: needed.ticket } })

    const first = await ask()
    const result = await site.finish({
      login_ticket: needed.ticket,
      passkey: { ticket: first.ticket, response: strange.get(first.options) },
    })
    const second = await ask()
    const taken = await site.finish({
      login_ticket: needed.ticket,
      passkey: { ticket: second.ticket, response: passkey.get(second.options) },
    })

    expect(needed.methods).toEqual(['totp', 'recovery_code', 'passkey'])
    expect(first.options).toMatchObject({ allowCredentials: [{ id: passkey.id }], userVerification: 'required' })
    expect(result).toEqual({ error: 'passkey_refused' })
    expect(taken.user).toMatchObject({ id: client.userId })
    expect((await site.auditsOf(client.userId!)).at(-1)).toMatchObject({ details: { second: 'passkey' } })
  })

  it('rejects a passkey response for another challenge', async () => {
    site.liftLimits()
    const [{ client }, { client: other }] = [await site.withTotp(), await site.withTotp()]
    const passkey = await site.addPasskey(client)
    await site.addPasskey(other)
    const { ticket } = await site.halfLogin(client)
    const othersTicket = (await site.halfLogin(other)).ticket
    const browser = apiClient(site.url)
    const questions = [
      await browser.call(api.askForPasskey, { body: { login_ticket: othersTicket } }),
      await browser.call(api.askForPasskey, { body: {} }),
      await client.call(api.askForProof),
    ]

    for (const question of questions) {
      const result = { ticket: question.ticket, response: passkey.get(question.options) }
      expect(await site.finish({ login_ticket: ticket, passkey: result })).toEqual({ error: 'passkey_refused' })
    }
  })
})

describe('a login ticket', () => {
  it('is invalid after five attempts, also concurrent ones', async () => {
    site.liftLimits()
    const { client, secret } = await site.withTotp()
    const { ticket: login_ticket } = await site.halfLogin(client)

    const guesses = await Promise.all(Array.from({ length: 12 }, () => site.finish({ login_ticket, code: WRONG_CODE })))

    const codes = guesses.map(({ error }) => error)
    expect(codes.filter((code) => code === 'second_factor_wrong')).toHaveLength(5)
    expect(codes.filter((code) => code === 'login_ticket_invalid')).toHaveLength(7)
    const right = await site.finish({ login_ticket, code: site.freshCode(secret) })
    expect(right).toEqual({ error: 'login_ticket_invalid' })
  })

  it('works once for two concurrent correct codes', async () => {
    site.liftLimits()
    const { client, recoveryCodes } = await site.withTotp()
    const { ticket: login_ticket } = await site.halfLogin(client)

    const responses = await Promise.all(recoveryCodes.slice(0, 5).map((code) => site.finish({ login_ticket, code })))

    expect(responses.filter(({ error }) => error === undefined)).toHaveLength(1)
    expect(responses.filter(({ error }) => error === 'login_ticket_invalid')).toHaveLength(4)
    // The unused codes of the others are still valid.
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 9 } })
  })

  it('is valid for ten minutes', async () => {
    const { client, secret } = await site.withTotp()
    const { ticket } = await site.halfLogin(client)
    site.passSeconds(601)

    const late = await site.finish({ login_ticket: ticket, code: site.freshCode(secret) })

    expect(late).toEqual({ error: 'login_ticket_invalid' })
  })

  it('rejects factors of another account', async () => {
    const [{ client }, other] = [await site.withTotp(), await site.withTotp()]
    const { ticket } = await site.halfLogin(client)

    const code = await site.finish({ login_ticket: ticket, code: site.freshCode(other.secret) })
    const recovery = await site.finish({ login_ticket: ticket, code: other.recoveryCodes[0] })

    expect([code, recovery]).toEqual([{ error: 'second_factor_wrong' }, { error: 'second_factor_wrong' }])
  })

  it.each([{}, { code: '123456', passkey: { ticket: '', response: {} } }])('is not consumed by %j', async (shown) => {
    const { client } = await site.withTotp()
    const { ticket } = await site.halfLogin(client)

    expect(await site.finish({ login_ticket: ticket, ...shown })).toEqual({ error: 'invalid_params' })

    const flows = site.db.selectFrom('auth_flow').select('tries').where('user_id', '=', client.userId!)
    expect(await flows.execute()).toEqual([{ tries: 0 }])
  })

  it('must be valid', async () => {
    for (const login_ticket of [undefined, '', 'guessed']) {
      expect(await site.finish({ login_ticket, code: '123456' })).toEqual({ error: 'login_ticket_invalid' })
    }
    const guessed = apiClient(site.url).send(api.askForPasskey, { body: { login_ticket: 'guessed' } })
    expect(await errorCode(guessed)).toBe('login_ticket_invalid')
  })

  it.each([
    ['banned', { status: 2 }, 'user_banned'],
    ['deregistered', { deleted_at: new Date() }, 'user_deregistered'],
  ] as const)('rejects a user who was %s meanwhile', async (_, change, code) => {
    const { client, secret } = await site.withTotp()
    const { ticket } = await site.halfLogin(client)
    await site.db.updateTable('user').set(change).where('id', '=', client.userId!).execute()

    expect(await site.finish({ login_ticket: ticket, code: site.freshCode(secret) })).toEqual({ error: code })
  })

  it('is invalid after a password change', async () => {
    const { client, secret } = await site.withTotp()
    const { ticket } = await site.halfLogin(client)
    await client.call(api.updateSelf, { body: { password: 'ebb-and-flow' } })

    const old = await site.finish({ login_ticket: ticket, code: site.freshCode(secret) })
    const fresh = await site.halfLogin(client, 'ebb-and-flow')

    expect(old).toEqual({ error: 'login_ticket_invalid' })
    expect((await site.finish({ login_ticket: fresh.ticket, code: site.freshCode(secret) })).error).toBeUndefined()
  })
})

describe('a wrong second factor', () => {
  it('delays the next login, which a correct password does not reset', async () => {
    const { client, secret } = await site.withTotp()
    const code = site.freshCode(secret)
    const { ticket: login_ticket } = await site.halfLogin(client)
    for (let tries = 0; tries < 3; tries += 1) await site.finish({ login_ticket, code: WRONG_CODE })
    const again = await site.halfLogin(client)

    const guess = await site.finish({ login_ticket: again.ticket, code })

    expect(guess).toEqual({ error: 'login_delayed' })
    const body = { username: client.username, password: PASSWORD }
    expect(await errorCode(apiClient(site.url).send(api.login, { body }))).toBe('login_delayed')
  })

  it('is cleared by a correct one', async () => {
    const { client, secret } = await site.withTotp()
    const { ticket: login_ticket } = await site.halfLogin(client)
    for (let tries = 0; tries < 3; tries += 1) await site.finish({ login_ticket, code: WRONG_CODE })

    expect((await site.finish({ login_ticket, code: site.freshCode(secret) })).error).toBeUndefined()

    for (let tries = 0; tries < 3; tries += 1) await site.halfLogin(client)
  })
})

describe('no second factor is needed', () => {
  it('accepts an access token alone', async () => {
    const { client } = await site.withTotp()
    const token = await client.call(api.renewAccessToken)

    const headers = { authorization: token, 'tidegate-user': String(client.userId) }
    const result = await site.app.inject({ url: '/api/user/self', headers })

    expect(result.json()).toMatchObject({ success: true, data: { id: client.userId } })
  })

  it('accepts a passkey alone', async () => {
    const { client } = await site.withTotp()
    const passkey = await site.addPasskey(client, softwarePasskey(ADDRESS))
    const browser = apiClient(site.url)
    const { ticket, options } = await browser.call(api.askForPasskey, { body: {} })

    const user = await browser.call(api.loginWithPasskey, { body: { ticket, response: passkey.get(options) } })

    expect(user).toMatchObject({ id: client.userId })
  })
})

describe('a password reset by mail', () => {
  it('keeps two-factor authentication', async () => {
    const { client, secret } = await site.withTotp()
    const email = `${client.username}@example.com`
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()
    await site.request('GET', `/api/reset_password?email=${encodeURIComponent(email)}`)
    const link = new URL(/https:\S+/.exec((await site.mailbox.mailTo(email)).text)![0])
    const token = link.searchParams.get('token')

    const reset = await site.request('POST', '/api/user/reset', { email, token, password: 'ebb-and-flow' })

    expect(reset.json).toMatchObject({ success: true })
    const { ticket } = await site.halfLogin(client, 'ebb-and-flow')
    expect((await site.finish({ login_ticket: ticket, code: site.freshCode(secret) })).error).toBeUndefined()
  })
})

it('records a wrong second factor in the audit trail', async () => {
  const { client } = await site.withTotp()

  await site.finish({ login_ticket: (await site.halfLogin(client)).ticket, code: '000000' })

  await site.deps.authFailures.flush()
  const filters = { action: 'user.second_factor_failed', subject: String(client.userId) }
  expect(await auditEvents.page(site.db, filters, { limit: 10, offset: 0 })).toMatchObject([
    { actor_id: null, client_ip: '127.0.0.1', details: { count: 1 } },
  ])
})
