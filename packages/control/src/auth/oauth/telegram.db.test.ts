import { signTelegram } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BOT_TOKEN, startOAuthSite, type OAuthSite, type Browser } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())
afterEach(() => site.shiftClock(0))

const nowSeconds = () => Math.floor(Date.now() / 1000)
let signed = 0

/** Data signed by the widget; a counter makes each unique. */
function fromWidget(id: string, { at = nowSeconds(), token = BOT_TOKEN }: { at?: number; token?: string } = {}) {
  signed += 1
  const person = { first_name: `Tele${signed}`, username: 'tele_gram', lang: 'en' }
  return signTelegram(token, { id, auth_date: String(at), ...person })
}
const logIn = async (fields: Record<string, string>, browser: Browser = site.newBrowser()) =>
  (await browser.get('/api/oauth/telegram/login', fields)).json
const bind = async (browser: Browser, fields: Record<string, string>) =>
  (await browser.get('/api/oauth/telegram/bind', fields)).json

describe('the Telegram widget', () => {
  it('logs in linked users and registers no user', async () => {
    const member = await site.member()
    const before = await logIn(fromWidget('1001'))

    expect(before).toMatchObject({ success: false, code: 'telegram_unbound' })
    expect(await bind(member, fromWidget('1001'))).toEqual({ success: true, message: '' })
    expect((await logIn(fromWidget('1001'))).data).toMatchObject({ id: member.userId })
    const { label } = await site.db
      .selectFrom('identity')
      .select('label')
      .where('user_id', '=', member.userId)
      .executeTakeFirstOrThrow()
    expect(label).toBe('@tele_gram')
  })

  it('works once, for login and linking together, also concurrently', async () => {
    const member = await site.member()
    await bind(member, fromWidget('1002'))
    const fields = fromWidget('1002')

    const responses = await Promise.all(Array.from({ length: 10 }, () => logIn(fields)))

    expect(responses.filter(({ success }) => success)).toHaveLength(1)
    expect(responses.filter(({ code }) => code === 'telegram_invalid')).toHaveLength(9)
    expect(await bind(await site.member(), fields)).toMatchObject({ code: 'telegram_invalid' })
  })

  it('is remembered until its signature expires', async () => {
    const member = await site.member()
    await bind(member, fromWidget('1003'))
    const fields = fromWidget('1003')
    await logIn(fields)

    const { expires_at } = await site.db
      .selectFrom('auth_flow')
      .select('expires_at')
      .where('service', '=', 'telegram')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()

    expect(expires_at.getTime()).toBeGreaterThan((Number(fields['auth_date']) + 300) * 1000)
  })

  it.each([
    ['is more than five minutes old', () => fromWidget('1004', { at: nowSeconds() - 301 })],
    ['is from the future', () => fromWidget('1004', { at: nowSeconds() + 120 })],
    ['another bot signed', () => fromWidget('1004', { token: 'another:bot' })],
    ['is not signed', () => ({ id: '1004', auth_date: String(nowSeconds()) })],
    ['names another person than was signed', () => ({ ...fromWidget('1005'), id: '1004' })],
    ['has a field more than was signed', () => ({ ...fromWidget('1004'), extra: 'x' })],
    ['has a hash that is none', () => ({ ...fromWidget('1004'), hash: 'zz' })],
    ['has no user ID', () => fromWidget('someone')],
  ])('is rejected when its data %s', async (_, fields) => {
    await bind(await site.member(), fromWidget('1004'))

    expect(await logIn(fields())).toMatchObject({ success: false, code: 'telegram_invalid' })
  })

  it('is rejected when a field is repeated', async () => {
    const query = new URLSearchParams(fromWidget('1006')).toString()

    const response = await site.app.inject(`/api/oauth/telegram/login?${query}&id=1007`)

    expect(response.json()).toMatchObject({ success: false, code: 'invalid_input' })
  })

  it('requires a logged-in user, the header and recent re-authentication for linking', async () => {
    const member = await site.member()
    const fields = fromWidget('1008')

    expect(await bind(site.newBrowser(), fields)).toMatchObject({ code: 'not_logged_in' })
    const unnamed = await member.get('/api/oauth/telegram/bind', fields, { 'tidegate-user': '' })
    expect(unnamed.json.code).toBe('user_id_header_missing')
    site.shiftClock(11 * 60_000)
    expect(await bind(member, fields)).toMatchObject({ code: 'proof_required' })
    site.shiftClock(0)
    expect(await bind(member, fields)).toMatchObject({ success: true })
    expect(await bind(await site.member(), fromWidget('1008'))).toMatchObject({ code: 'oauth_already_bound' })
    expect((await member.post('/api/user/identities/unbind', { service: 'telegram' })).json.success).toBe(true)
    expect(await logIn(fromWidget('1008'))).toMatchObject({ code: 'telegram_unbound' })
  })

  it('redirects direct browser requests to the account page and links nothing', async () => {
    const member = await site.member()

    const visit = await member.get('/api/oauth/telegram/bind', fromWidget('1009'), {
      accept: 'text/html,application/xhtml+xml',
      'sec-fetch-site': 'cross-site',
    })

    expect(visit).toMatchObject({ status: 302, headers: { location: '/app/me' } })
    expect(await site.userWith('telegram', '1009')).toBeUndefined()
  })

  it('is rejected while it is disabled', async () => {
    await site.set({ TelegramOAuthEnabled: 'false' })

    expect(await logIn(fromWidget('1010'))).toMatchObject({ code: 'oauth_disabled' })
    expect(await bind(await site.member(), fromWidget('1010'))).toMatchObject({ code: 'oauth_disabled' })

    await site.set({ TelegramOAuthEnabled: 'true' })
  })
})
