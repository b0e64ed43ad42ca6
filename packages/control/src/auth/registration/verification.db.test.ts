import { api } from '@tidegate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'

let site: RegistrationSite
let shiftMs = 0
beforeAll(async () => {
  site = await startRegistrationSite({ now: () => new Date(Date.now() + shiftMs) })
})
afterAll(() => site.close())
beforeEach(async () => {
  shiftMs = 0
  await site.set({
    EmailVerificationEnabled: 'true',
    EmailDomainRestrictionEnabled: 'false',
    EmailAliasRestrictionEnabled: 'false',
    SMTPServer: '127.0.0.1',
  })
})

let names = 0
const newName = () => `reader${(names += 1)}`
const newAddress = () => `${newName()}@example.com`
const askFor = (email: string, headers: Record<string, string> = {}) =>
  site.request('GET', `/api/verification?email=${encodeURIComponent(email)}`, undefined, headers)
const register = (email: string, verification_code: string, username = newName()) =>
  site.request('POST', '/api/user/register', { username, password: 'high-tide-77', email, verification_code })

async function codeFor(email: string, skip = 0): Promise<string> {
  expect((await askFor(email)).json).toEqual({ success: true, message: '' })
  return /\b\d{6}\b/.exec((await site.mailbox.mailTo(email, skip)).text)![0]
}
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('a verification mail', () => {
  it('contains a code for registration, as text and HTML', async () => {
    const email = newAddress()
    await askFor(` ${email.toUpperCase()} `)
    const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]

    expect((await register(email, code, 'verified')).json).toEqual({ success: true, message: '' })
    const row = await site.db.selectFrom('user').select('email').where('username', '=', 'verified').executeTakeFirst()
    expect(row).toEqual({ email })
    const mail = await site.mailbox.mailTo(email)
    expect(mail.html).toContain(code)
    expect(mail.html).toContain('Harbour &#60;1&#62;')
    expect(mail.html).not.toContain('<1>')
    expect(mail.headers['from']).toContain('gate@example.com')
  })

  it('uses the language of the request', async () => {
    const [chinese, english] = [newAddress(), newAddress()]
    await askFor(chinese)
    await askFor(english, { 'accept-language': 'en' })

    expect((await site.mailbox.mailTo(chinese)).subject).toBe('Harbour <1> 邮箱验证')
    expect((await site.mailbox.mailTo(english)).subject).toBe('Harbour <1> email verification')
    expect((await site.mailbox.mailTo(english)).text).toContain('valid for 10 minutes')
  })

  it('is sent on POST too', async () => {
    const email = newAddress()

    await site.request('POST', '/api/verification', { email })

    expect((await site.mailbox.mailTo(email)).text).toMatch(/\d{6}/)
  })

  it('informs only the owner that an address is taken', async () => {
    const email = newAddress()
    await register(email, await codeFor(email))
    shiftMs = 61_000

    const response = await askFor(email)

    expect(response.json).toEqual({ success: true, message: '' })
    const mail = await site.mailbox.mailTo(email, 1)
    expect(mail.text).toContain('已经属于一个账号')
    expect(mail.text).not.toMatch(/\d{6}/)
  })

  it.each([
    '',
    'nobody',
    'a@b',
    'a@example.com;b@example.com',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    `${'a'.repeat(40)}@example.com`,
  ])('is not sent to %j', async (email) => {
    expect((await askFor(email)).json).toMatchObject({ success: false, code: 'email_invalid' })
  })

  it('follows the rules for domains and aliases', async () => {
    await site.set({ EmailDomainWhitelist: 'example.org', EmailDomainRestrictionEnabled: 'true' })
    expect((await askFor('someone@sub.example.org')).json).toMatchObject({ code: 'email_domain_not_allowed' })
    expect((await askFor('someone@Example.ORG')).json).toMatchObject({ success: true })

    await site.set({ EmailAliasRestrictionEnabled: 'true' })
    expect((await askFor('some.one@example.org')).json).toMatchObject({ code: 'email_alias_not_allowed' })
    expect((await askFor('some+one@example.org')).json).toMatchObject({ code: 'email_alias_not_allowed' })
  })

  it('is rejected without a mail server and from other sites', async () => {
    expect((await askFor(newAddress(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)

    await site.set({ SMTPServer: '' })
    expect((await askFor(newAddress())).json).toMatchObject({ code: 'mail_not_configured' })
  })

  it('can be sent again after the countdown; before, the error has the remaining seconds', async () => {
    const email = newAddress()
    await askFor(email)
    shiftMs += 10_000
    const early = await askFor(email)
    shiftMs += (api.RESEND_SECONDS - 10) * 1000

    expect(early.json).toMatchObject({ code: 'rate_limited' })
    expect(Number(/\d+/.exec(early.json.message)![0])).toBeLessThanOrEqual(api.RESEND_SECONDS - 10)
    expect((await askFor(email)).json).toMatchObject({ success: true })
  })

  it('is sent once for concurrent requests', async () => {
    const email = newAddress()
    const responses = await Promise.all(Array.from({ length: 10 }, () => askFor(email)))

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9)
    expect(responses.find(({ status }) => status === 429)!.json).toMatchObject({ code: 'rate_limited' })
  })

  it('is sent to one address at most ten times a day', async () => {
    const email = newAddress()
    const statuses: number[] = []
    for (let mail = 0; mail < 11; mail += 1) {
      statuses.push((await askFor(email)).status)
      shiftMs += 61_000
    }

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('a verification code', () => {
  it('is required, with its address, while verification is enabled', async () => {
    expect((await register('', '')).json).toMatchObject({ code: 'email_code_required' })
    expect((await register(newAddress(), '')).json).toMatchObject({ code: 'email_code_required' })
  })

  it('works once, also for twenty concurrent requests', async () => {
    const email = newAddress()
    const code = await codeFor(email)

    const responses = await Promise.all(Array.from({ length: 20 }, () => register(email, code)))

    expect(responses.filter(({ json }) => json.success)).toHaveLength(1)
    const rows = await site.db.selectFrom('user').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
  })

  it('survives a registration that is rejected for its name', async () => {
    const email = newAddress()
    const code = await codeFor(email)
    await site.request('POST', '/api/user/register', {
      username: 'x',
      password: 'short',
      email,
      verification_code: code,
    })
    const taken = await site.signedIn('user')
    expect((await register(email, code, taken.username)).json).toMatchObject({ code: 'username_taken' })

    expect((await register(email, code)).json).toMatchObject({ success: true })
  })

  it('is invalid after five attempts, also concurrent ones', async () => {
    const email = newAddress()
    const code = await codeFor(email)
    await Promise.all(Array.from({ length: 20 }, () => register(email, wrong(code))))

    expect((await register(email, code)).json).toMatchObject({ code: 'code_invalid' })
  })

  it('is valid for ten minutes', async () => {
    const email = newAddress()
    const code = await codeFor(email)
    shiftMs = 10 * 60_000 + 1

    expect((await register(email, code)).json).toMatchObject({ code: 'code_invalid' })
  })

  it('is replaced by a newer one', async () => {
    const email = newAddress()
    const first = await codeFor(email)
    shiftMs = 61_000
    const second = await codeFor(email, 1)

    if (first !== second) expect((await register(email, first)).json).toMatchObject({ code: 'code_invalid' })
    expect((await register(email, second)).json).toMatchObject({ success: true })
  })

  it('requested by a logged-in user does not register', async () => {
    const client = await site.signedIn('user')
    const email = newAddress()
    await client.call(api.requestVerification, { query: { email } })
    const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]

    expect((await register(email, code)).json).toMatchObject({ code: 'code_invalid' })
  })

  it('binds the address for its user only, once', async () => {
    const [client, other] = [await site.signedIn('user'), await site.signedIn('user')]
    const email = newAddress()
    await client.call(api.requestVerification, { query: { email } })
    const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]
    const bind = (who: typeof client) => who.send(api.bindEmail, { query: { email, code } })

    expect((await bind(other)).envelope).toMatchObject({ code: 'code_invalid' })
    expect((await bind(client)).envelope).toEqual({ success: true, message: '' })
    expect((await bind(client)).envelope).toMatchObject({ code: 'code_invalid' })
    expect(await client.call(api.getSelf)).toMatchObject({ email })
  })

  it('notifies the previous address by mail and inbox when it binds another one', async () => {
    const client = await site.signedIn('user')
    const bind = async (email: string) => {
      await client.call(api.requestVerification, { query: { email } })
      const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]
      await client.call(api.bindEmail, { query: { email, code }, headers: { 'accept-language': 'en' } })
    }
    const [old, next] = [newAddress(), newAddress()]
    await bind(old)
    expect(await client.call(api.listInbox)).toMatchObject({ items: [] })

    await bind(next)

    const mail = await site.outboxMail(old, 'Your email address was changed')
    expect(mail.text).not.toContain(next)
    expect((await client.call(api.listInbox)).items.map(({ title }) => title)).toEqual(['邮箱已更换'])
  })

  it('cannot bind an address that another user got first', async () => {
    const [first, second] = [await site.signedIn('user'), await site.signedIn('user')]
    const email = newAddress()
    await first.call(api.requestVerification, { query: { email } })
    await second.call(api.requestVerification, { query: { email } })
    const codes = await Promise.all(
      [0, 1].map(async (skip) => /\b\d{6}\b/.exec((await site.mailbox.mailTo(email, skip)).text)![0]),
    )
    const tries = [first, second].flatMap((who) => codes.map((code) => ({ who, code })))

    const responses = await Promise.all(
      tries.map(({ who, code }) => who.send(api.bindEmail, { query: { email, code } })),
    )

    expect(responses.filter(({ envelope }) => envelope.success)).toHaveLength(1)
    const rows = await site.db.selectFrom('user').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
  })

  it('requires the user id header of a logged-in user', async () => {
    const client = await site.signedIn('user')
    client.userId = undefined

    const { envelope } = await client.send(api.requestVerification, { query: { email: newAddress() } })

    expect(envelope).toMatchObject({ code: 'user_id_header_missing' })
  })

  it('is stored as a keyed hash', async () => {
    const email = newAddress()
    const code = await codeFor(email)

    const rows = await site.db.selectFrom('mail_code').selectAll().where('address', '=', email).execute()

    expect(rows).toHaveLength(1)
    expect(rows[0]!.code_hash).toMatch(/^[0-9a-f]{64}$/)
    const { code_hash: _, created_at, expires_at, ...plain } = rows[0]!
    expect(JSON.stringify(plain)).not.toContain(code)
    expect(expires_at.getTime() - created_at.getTime()).toBe(600_000)
  })
})
