import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'
import { PASSWORD } from '../../../test/start-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
})
afterAll(() => site.close())
beforeEach(() => site.set({ 'security.new_device_mail_enabled': 'true', SMTPServer: '127.0.0.1' }))

/** A user with one login and an email address. */
async function owner(): Promise<{ username: string; userId: number; email: string }> {
  const { username, userId } = await site.signedIn('user')
  const email = `${username}@example.com`
  await site.db.updateTable('user').set({ email }).where('id', '=', userId!).execute()
  return { username, userId: userId!, email }
}

async function login(username: string, cookies: Record<string, string> = {}): Promise<Record<string, string>> {
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/user/login',
    remoteAddress: `10.9.${randomBytes(2).join('.')}`,
    headers: { 'user-agent': 'Harbour Browser' },
    cookies,
    payload: { username, password: PASSWORD },
  })
  return Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]))
}

const mailsOf = (userId: number) =>
  site.db.selectFrom('delivery').select(['type', 'kind', 'target', 'payload']).where('user_id', '=', userId).execute()

describe('a login from a new device', () => {
  it('is mailed to the owner with address and browser', async () => {
    const { username, userId, email } = await owner()

    await login(username)

    expect(await mailsOf(userId)).toMatchObject([
      {
        type: 'new_device',
        kind: 'email',
        target: email,
        payload: { values: expect.arrayContaining(['Harbour Browser', expect.stringMatching(/^10\.9\./)]) },
      },
    ])
  })

  it('is mailed to the address of the account, not to that of notifications', async () => {
    const { username, userId, email } = await owner()
    const setting = JSON.stringify({ notification_email: 'elsewhere@example.com' })
    await site.db.updateTable('user').set({ setting }).where('id', '=', userId).execute()

    await login(username)

    expect((await site.outboxMail(email, '新设备登录提醒')).to).toEqual([email])
    expect(site.mailbox.mails.filter(({ to }) => to.includes('elsewhere@example.com'))).toEqual([])
  })

  it('is mailed once per browser', async () => {
    const { username, userId } = await owner()

    await login(username, await login(username))

    expect(await mailsOf(userId)).toHaveLength(1)
  })

  it.each([
    ['the option is off', { 'security.new_device_mail_enabled': 'false' }],
    ['the site has no mail server', { SMTPServer: '' }],
  ])('is not mailed when %s', async (_, options) => {
    const { username, userId } = await owner()
    await site.set(options)

    await login(username)

    expect(await mailsOf(userId)).toEqual([])
  })

  it('is not mailed for the first login of an account', async () => {
    const { username, userId } = await owner()
    await site.db.deleteFrom('audit_event').where('actor_id', '=', userId).execute()

    await login(username)

    expect(await mailsOf(userId)).toEqual([])
  })
})
