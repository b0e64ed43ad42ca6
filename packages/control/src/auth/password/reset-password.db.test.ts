import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../test/start-site.ts'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'

let site: RegistrationSite
let shiftMs = 0
beforeAll(async () => {
  site = await startRegistrationSite({ now: () => new Date(Date.now() + shiftMs) })
})
afterAll(() => site.close())
beforeEach(() => {
  shiftMs = 0
})

let members = 0
/** A logged-in user with an address. */
async function createMember() {
  const client = await site.signedIn('user')
  const email = `lost+${(members += 1)}@example.com`
  await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()
  return { client, email }
}
const askFor = (email: string, headers: Record<string, string> = {}) =>
  site.request('GET', `/api/reset_password?email=${encodeURIComponent(email)}`, undefined, headers)
const reset = (body: object) => site.request('POST', '/api/user/reset', body)

async function linkFor(email: string): Promise<URL> {
  expect((await askFor(email)).json).toEqual({ success: true, message: '' })
  return new URL(/https:\S+/.exec((await site.mailbox.mailTo(email)).text)![0])
}
async function tokenFor(email: string): Promise<string> {
  return (await linkFor(email)).searchParams.get('token')!
}

describe('a reset mail', () => {
  it('links to the configured address for any Host header', async () => {
    const { email } = await createMember()
    await askFor(email, { host: 'evil.example', 'accept-language': 'en' })

    const mail = await site.mailbox.mailTo(email)
    const link = new URL(/https:\S+/.exec(mail.text)![0])

    expect(mail.subject).toBe('Harbour <1> password reset')
    expect(link.origin + link.pathname).toBe('https://gate.example/user/reset')
    expect(link.searchParams.get('email')).toBe(email)
    expect(link.searchParams.get('token')).toMatch(/^[0-9a-f]{32}$/)
  })

  it('returns the same response for an unknown address and sends nothing', async () => {
    const { email } = await createMember()

    const [known, unknown] = [await askFor(email), await askFor('unknown@example.com')]
    const again = [await askFor(email), await askFor('unknown@example.com')]

    expect(unknown.body).toBe(known.body)
    expect(again.map(({ status, json }) => [status, json.code])).toEqual([
      [429, 'rate_limited'],
      [429, 'rate_limited'],
    ])
    await site.mailbox.mailTo(email)
    expect(site.mailbox.mails.filter(({ to }) => to.includes('unknown@example.com'))).toEqual([])
  })

  it('is not sent for a deregistered account', async () => {
    const { client, email } = await createMember()
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', client.userId!).execute()
    const { email: other } = await createMember()

    await askFor(email)
    await askFor(other)

    await site.mailbox.mailTo(other) // sent afterwards
    expect(site.mailbox.mails.filter(({ to }) => to.includes(email))).toEqual([])
  })
})

describe('a password reset', () => {
  it('generates a password, revokes all sessions and notifies the owner', async () => {
    const { client, email } = await createMember()
    const token = await tokenFor(email)

    const result = await reset({ email: email.toUpperCase(), token })

    const password = result.json.data as string
    expect(password).toMatch(/^[A-Za-z2-9]{16}$/)
    expect(result.headers['cache-control']).toBe('no-store')
    expect((await client.send(api.getSelf)).response.status).toBe(401)
    await apiClient(site.url).login(client.username, password)
    await expect(apiClient(site.url).login(client.username, PASSWORD)).rejects.toMatchObject({ code: 'login_failed' })
    expect((await site.outboxMail(email, '密码已重置')).subject).toBe('Harbour <1> 密码已重置')
  })

  it('accepts a chosen password and does not return it', async () => {
    const { client, email } = await createMember()
    const token = await tokenFor(email)
    expect((await reset({ email, token, password: 'short' })).json).toMatchObject({ code: 'invalid_input' })

    const result = await reset({ email, token, password: 'chosen-tide-9' })

    expect(result.json).toEqual({ success: true, message: '', data: '' })
    await apiClient(site.url).login(client.username, 'chosen-tide-9')
  })

  it('works once, also for twenty concurrent requests', async () => {
    const { client, email } = await createMember()
    const token = await tokenFor(email)

    const results = await Promise.all(Array.from({ length: 20 }, () => reset({ email, token })))

    const done = results.filter(({ json }) => json.success)
    expect(done).toHaveLength(1)
    const rejected = results.filter(({ json }) => !json.success).map(({ json }) => json.code)
    expect(rejected).toEqual(Array.from({ length: 19 }, () => 'reset_link_invalid'))
    await apiClient(site.url).login(client.username, done[0]!.json.data as string)
    expect((await reset({ email, token })).json).toMatchObject({ code: 'reset_link_invalid' })
  })

  it('rejects missing, wrong, expired and foreign tokens', async () => {
    const [{ email }, { email: other }] = [await createMember(), await createMember()]
    const token = await tokenFor(email)

    expect((await reset({ email })).json).toMatchObject({ code: 'invalid_params' })
    expect((await reset({ token })).json).toMatchObject({ code: 'invalid_params' })
    expect((await reset({ email, token: '0'.repeat(32) })).json).toMatchObject({ code: 'reset_link_invalid' })
    expect((await reset({ email: other, token })).json).toMatchObject({ code: 'reset_link_invalid' })
    shiftMs = 10 * 60_000 + 1
    expect((await reset({ email, token })).json).toMatchObject({ code: 'reset_link_invalid' })
  })

  it('clears the delay of failed logins', async () => {
    const { client, email } = await createMember()
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await site.request('POST', '/api/user/login', { username: client.username, password: 'wrong password' })
    }
    const login = (password: string) => site.request('POST', '/api/user/login', { username: client.username, password })
    expect((await login(PASSWORD)).json).toMatchObject({ code: 'login_delayed' })

    const { json } = await reset({ email, token: await tokenFor(email) })

    expect((await login(json.data as string)).json).toMatchObject({ success: true })
  })

  it('exposes no hash, token or code in responses', async () => {
    const { client, email } = await createMember()
    const token = await tokenFor(email)
    const results = [
      await askFor(email),
      await reset({ email, token: token.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')) }),
      await reset({ email, token }),
      await reset({ email, token }),
      await site.request('POST', '/api/user/register', { username: client.username, password: 'high-tide-77' }),
    ]
    const stored = await site.db.selectFrom('user').select('password_hash').where('email', '=', email).execute()
    const codes = await site.db.selectFrom('mail_code').select('code_hash').where('address', '=', email).execute()
    const secrets = [token, stored[0]!.password_hash!, ...codes.map(({ code_hash }) => code_hash), '$argon2']

    for (const { body } of results) for (const secret of secrets) expect(body).not.toContain(secret)
    expect(codes).toHaveLength(1)
  })
})
