import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())
afterEach(() => site.weChat.fail(undefined))

const PATH = '/api/wechat/user'
const comeWith = async (code: string) => (await site.newBrowser().get('/api/oauth/wechat', { code })).json

describe('a WeChat code', () => {
  it('registers a new user and logs in again', async () => {
    const first = await comeWith(site.weChat.issue('wx-open-id-1'))
    const second = await comeWith(site.weChat.issue('wx-open-id-1'))

    expect(first.data).toMatchObject({
      username: expect.stringMatching(/^wechat_\w+$/),
      display_name: 'WeChat User',
    })
    expect(second.data!['id']).toBe(first.data!['id'])
  })

  it('has no inviter', async () => {
    const { userId } = await site.member()
    const { aff_code } = await site.db
      .selectFrom('user')
      .select('aff_code')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()

    await site.newBrowser().get('/api/oauth/wechat', { code: site.weChat.issue('wx-invited'), aff: aff_code })

    expect(await site.userWith('wechat', 'wx-invited')).toMatchObject({ inviter_id: null })
  })

  it('works once, and only as digits', async () => {
    const code = site.weChat.issue('wx-once')
    await comeWith(code)
    const calls = site.weChat.countOf(PATH)

    expect(await comeWith(code)).toMatchObject({ success: false, code: 'code_invalid' })
    expect(site.weChat.countOf(PATH)).toBe(calls + 1)
    for (const given of ['', '12 34', '１２３４', '1&code=2', `../${code}`, '1'.repeat(17)]) {
      expect(await comeWith(given)).toMatchObject({ code: 'code_invalid' })
    }
    expect(site.weChat.countOf(PATH)).toBe(calls + 1)
  })

  it('links, unlinks and is not linked twice', async () => {
    const [member, rival] = [await site.member(), await site.member()]
    const bind = async (who: typeof member) =>
      (await who.get('/api/oauth/wechat/bind', { code: site.weChat.issue('wx-bound') })).json

    expect(await bind(member)).toEqual({ success: true, message: '' })
    expect(await bind(rival)).toMatchObject({ code: 'oauth_already_bound', message: '该 微信 账户已被绑定' })
    expect((await comeWith(site.weChat.issue('wx-bound'))).data).toMatchObject({ id: member.userId })
    expect((await member.post('/api/user/identities/unbind', { service: 'wechat' })).json.success).toBe(true)
    expect(await bind(rival)).toMatchObject({ success: true })
  })

  it('requires a logged-in user, the header and recent re-authentication for linking', async () => {
    const member = await site.member()
    const query = { code: site.weChat.issue('wx-proof') }

    expect((await site.newBrowser().get('/api/oauth/wechat/bind', query)).json.code).toBe('not_logged_in')
    expect((await member.get('/api/oauth/wechat/bind', query, { 'tidegate-user': '' })).json.code).toBe(
      'user_id_header_missing',
    )
    site.shiftClock(11 * 60_000)
    expect((await member.get('/api/oauth/wechat/bind', query)).json.code).toBe('proof_required')
    site.shiftClock(0)
  })

  it('can be guessed twenty times per address', async () => {
    const from = (remoteAddress: string) => site.app.inject({ url: '/api/oauth/wechat?code=1', remoteAddress })
    for (let call = 0; call < 20; call += 1) await from('203.0.113.9')

    expect((await from('203.0.113.9')).statusCode).toBe(429)
    expect((await from('203.0.113.10')).statusCode).toBe(200)
  })
})

describe('the WeChat helper server', () => {
  it.each([
    ['down', 'oauth_unreachable'],
    ['dropped', 'oauth_unreachable'],
    ['garbage', 'oauth_bad_answer'],
    ['wrong-shape', 'oauth_bad_answer'],
    ['redirect', 'oauth_bad_answer'],
    ['endless', 'oauth_bad_answer'],
  ] as const)('causes an error when its response is "%s"', async (failure, code) => {
    site.weChat.fail(failure)

    expect(await comeWith('123456')).toMatchObject({ success: false, code })
  })

  it('receives the token', async () => {
    await site.set({ WeChatServerToken: 'wrong' })

    expect(await comeWith(site.weChat.issue('wx-token'))).toMatchObject({ code: 'oauth_bad_answer' })

    await site.set({ WeChatServerToken: 'wechat-helper-token' })
  })

  it('is not requested without https', async () => {
    await site.set({ WeChatServerAddress: 'http://wechat.example' })

    expect(await comeWith('123456')).toMatchObject({ code: 'oauth_unreachable' })
    expect(site.problems.at(-1)).toMatchObject({ reason: ['http://wechat.example is not https'] })

    await site.set({ WeChatServerAddress: site.weChat.url })
  })

  it('is not requested while it is disabled', async () => {
    const calls = site.weChat.countOf(PATH)
    await site.set({ WeChatAuthEnabled: 'false' })

    expect(await comeWith('123456')).toMatchObject({ code: 'oauth_disabled' })
    expect(site.weChat.countOf(PATH)).toBe(calls)

    await site.set({ WeChatAuthEnabled: 'true' })
  })
})
