import { api } from '@tidegate/contract'
import { TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeAt, errorCode, startSecuritySite, type SecuritySite } from '../../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('enabling two-factor authentication', () => {
  it('returns a secret, and recovery codes after the first code', async () => {
    const client = await site.signedIn('user')

    const { secret, uri } = await client.call(api.beginTotp)
    const before = await client.call(api.getSecurity)
    const { recovery_codes } = await client.call(api.enableTotp, { body: { code: ` ${site.codeNow(secret)} ` } })

    const parsed = URI.parse(uri) as TOTP
    expect(parsed).toMatchObject({ issuer: 'Harbour <1>', label: client.username, digits: 6, period: 30 })
    expect(parsed.algorithm).toBe('SHA1')
    expect(parsed.secret.base32).toBe(secret)
    expect(before.totp).toBeNull()
    expect(recovery_codes).toHaveLength(10)
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes)
      expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{2}$/)
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 10 } })
  })

  it('stores secret and recovery codes sealed or hashed', async () => {
    const { client, secret, recoveryCodes } = await site.withTotp()

    const row = await site.db.selectFrom('totp').selectAll().where('user_id', '=', client.userId!).execute()
    const codes = await site.db.selectFrom('recovery_code').selectAll().where('user_id', '=', client.userId!).execute()

    expect(JSON.stringify(row)).not.toContain(secret)
    expect(codes).toHaveLength(10)
    for (const { code_hash } of codes) expect(code_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(codes)).not.toContain(recoveryCodes[0]!.replaceAll('-', ''))
  })

  it('requires a code of the last secret', async () => {
    const client = await site.signedIn('user')
    expect(await errorCode(client.send(api.enableTotp, { body: { code: '123456' } }))).toBe('totp_not_begun')
    const first = await client.call(api.beginTotp)
    const second = await client.call(api.beginTotp)
    const enable = (code: string) => errorCode(client.send(api.enableTotp, { body: { code } }))

    expect(await enable(wrong(site.codeNow(second.secret)))).toBe('second_factor_wrong')
    if (site.codeNow(first.secret) !== site.codeNow(second.secret)) {
      expect(await enable(site.codeNow(first.secret))).toBe('second_factor_wrong')
    }
    expect(await enable(site.codeNow(second.secret))).toBeUndefined()
    expect(await enable(site.freshCode(second.secret))).toBe('totp_on')
    expect(await errorCode(client.send(api.beginTotp))).toBe('totp_on')
  })

  it('works once for concurrent requests', async () => {
    const client = await site.signedIn('user')
    const { secret } = await client.call(api.beginTotp)
    const body = { code: site.codeNow(secret) }

    site.liftLimits()

    const responses = await Promise.all(
      Array.from({ length: 8 }, () => errorCode(client.send(api.enableTotp, { body }))),
    )

    expect(responses.filter((code) => code === undefined)).toHaveLength(1)
    expect(responses.filter((code) => code === 'totp_on')).toHaveLength(7)
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 10 } })
  })

  it('delays guesses', async () => {
    const client = await site.signedIn('user')
    const { secret } = await client.call(api.beginTotp)
    const guess = (code: string) => errorCode(client.send(api.enableTotp, { body: { code } }))
    for (let tries = 0; tries < 5; tries += 1)
      expect(await guess(wrong(site.codeNow(secret)))).toBe('second_factor_wrong')

    expect(await guess(site.codeNow(secret))).toBe('login_delayed')
  })

  it('requires re-authentication and a session', async () => {
    const client = await site.signedIn('user')
    const token = await client.call(api.renewAccessToken)
    const { secret } = await client.call(api.beginTotp)
    site.passSeconds(601)

    expect(await errorCode(client.send(api.beginTotp))).toBe('proof_required')
    const body = { code: site.codeNow(secret) }
    expect(await errorCode(client.send(api.enableTotp, { body }))).toBe('proof_required')
    const program = { method: 'POST' as const, headers: { authorization: token, 'tidegate-user': `${client.userId}` } }
    const response = await site.app.inject({ url: '/api/user/totp/begin', ...program })
    expect(response.json()).toMatchObject({ code: 'session_required' })
  })

  it('writes an audit event', async () => {
    const { client } = await site.withTotp()

    expect((await site.auditsOf(client.userId!)).map(({ action }) => action)).toEqual(['user.login', 'user.totp_on'])
    expect((await client.call(api.listOwnLogs)).items).toMatchObject([
      { type: 4, content: 'Two-factor authentication turned on' },
    ])
  })
})

describe('a code of the app', () => {
  it('is valid one step early and one step late', async () => {
    const { client, secret } = await site.withTotp()
    const prove = (code: string) => errorCode(client.send(api.proveOwner, { body: { code } }))
    site.passSeconds(120)
    const at = (steps: number) => codeAt(secret, new Date(site.deps.now().getTime() + steps * 30_000))

    expect(await prove(at(-3))).toBe('second_factor_wrong')
    expect(await prove(at(3))).toBe('second_factor_wrong')
    expect(await prove(at(-1))).toBeUndefined()
    expect(await prove(at(1))).toBeUndefined()
  })

  it('works once, also for twenty concurrent requests, and not after a later one', async () => {
    site.liftLimits()
    const { client, secret } = await site.withTotp()
    const earlier = site.freshCode(secret)
    const code = site.freshCode(secret)

    const tickets = await Promise.all(Array.from({ length: 20 }, () => site.halfLogin(client)))
    const responses = await Promise.all(tickets.map(({ ticket }) => site.finish({ login_ticket: ticket, code })))

    const codes = responses.map(({ error }) => error).filter((error) => error !== undefined)
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'second_factor_wrong'))
    for (const used of [code, earlier]) {
      expect(await errorCode(client.send(api.proveOwner, { body: { code: used } }))).toBe('second_factor_wrong')
    }
  })

  it('cannot be reused after enabling', async () => {
    const client = await site.signedIn('user')
    const { secret } = await client.call(api.beginTotp)
    const body = { code: site.codeNow(secret) }
    await client.call(api.enableTotp, { body })

    expect(await errorCode(client.send(api.proveOwner, { body }))).toBe('second_factor_wrong')
  })
})

describe('recovery codes', () => {
  it('are replaced by new ones', async () => {
    const { client, recoveryCodes } = await site.withTotp()

    const { recovery_codes } = await client.call(api.renewRecoveryCodes)

    const { ticket } = await site.halfLogin(client)
    expect(await site.finish({ login_ticket: ticket, code: recoveryCodes[0] })).toEqual({
      error: 'second_factor_wrong',
    })
    expect((await site.finish({ login_ticket: ticket, code: recovery_codes[0] })).user).toMatchObject({
      id: client.userId,
    })
    expect((await site.auditsOf(client.userId!)).map(({ action }) => action)).toContain('user.recovery_codes')
  })

  it('require two-factor authentication', async () => {
    const client = await site.signedIn('user')
    await client.call(api.beginTotp)

    expect(await errorCode(client.send(api.renewRecoveryCodes))).toBe('totp_off')
  })

  it('do not re-authenticate', async () => {
    const { client, recoveryCodes } = await site.withTotp()

    const response = client.send(api.proveOwner, { body: { code: recoveryCodes[0]! } })

    expect(await errorCode(response)).toBe('second_factor_wrong')
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: { recovery_codes_left: 10 } })
  })
})

describe('disabling two-factor authentication', () => {
  it('removes everything, records it and notifies the owner', async () => {
    const { client } = await site.withTotp()
    const email = `${client.username}@example.com`
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()

    await client.call(api.disableTotp, { headers: { 'accept-language': 'en' } })

    expect(await client.call(api.getSecurity)).toMatchObject({ totp: null })
    await client.login(client.username, 'spring-tide-42')
    for (const table of ['totp', 'recovery_code'] as const) {
      expect(await site.db.selectFrom(table).selectAll().where('user_id', '=', client.userId!).execute()).toEqual([])
    }
    expect((await site.auditsOf(client.userId!)).map(({ action }) => action)).toContain('user.totp_off')
    const mail = await site.outboxMail(email, 'Two-factor authentication was turned off')
    expect(mail.text).toContain('127.0.0.1')
    const messages = await site.db
      .selectFrom('message_recipient')
      .innerJoin('message', 'message.id', 'message_recipient.message_id')
      .select('message.title')
      .where('user_id', '=', client.userId!)
      .execute()
    expect(messages).toEqual([{ title: '两步验证已关闭' }])
  })

  it('requires re-authentication and enabled two-factor authentication', async () => {
    const { client } = await site.withTotp()
    site.passSeconds(601)
    expect(await errorCode(client.send(api.disableTotp))).toBe('proof_required')

    const other = await site.signedIn('user')
    await other.call(api.beginTotp)
    expect(await errorCode(other.send(api.disableTotp))).toBe('totp_off')
  })
})
