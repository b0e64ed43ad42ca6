import { api } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADDRESS, newOAuthUser, signInWithOAuth, startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())
afterEach(() => {
  site.shiftClock(0)
  site.github.fail(undefined)
  site.linuxDo.fail(undefined)
  site.oidc.breakDown(false)
})

const SWITCH = { github: 'GitHubOAuthEnabled', linuxdo: 'LinuxDOOAuthEnabled', oidc: 'oidc.enabled' } as const
const NAME = { github: 'GitHub', linuxdo: 'LinuxDO', oidc: 'OIDC' }
const TOKEN_PATH = { github: '/login/oauth/access_token', linuxdo: '/oauth2/token', oidc: '/token' }
const countExchanges = (service: api.RedirectService) =>
  ({ github: site.github, linuxdo: site.linuxDo, oidc: site.oidc })[service].countOf(TOKEN_PATH[service])

describe.each(api.REDIRECT_SERVICES)('OAuth with %s', (service) => {
  it('registers a new user and logs in the same user again', async () => {
    const person = newOAuthUser(site, service)
    const browser = site.newBrowser()

    const first = await signInWithOAuth(browser, service, person)
    const second = await signInWithOAuth(site.newBrowser(), service, person)

    expect(first.json).toMatchObject({ success: true, message: '', data: { role: 1, status: 1 } })
    expect(second.json.data!['id']).toBe(first.json.data!['id'])
    browser.userId = first.json.data!['id'] as number
    const self = await browser.get('/api/user/self')
    const field = { github: 'github_id', linuxdo: 'linux_do_id', oidc: 'oidc_id' }[service]
    expect(self.json.data).toMatchObject({ id: browser.userId, [field]: person.subject, email: expect.any(String) })
    expect(await site.userWith(service, person.subject)).toMatchObject({ password_hash: null })
  })

  it('uses the configured redirect address for any Host header', async () => {
    const response = await site.newBrowser().post('/api/oauth/start', { service }, { host: 'evil.example' })

    const { searchParams } = new URL(response.json.data!['url'] as string)
    expect(searchParams.get('redirect_uri')).toBe(`${ADDRESS}/oauth/${service}`)
    expect(searchParams.get('state')).toBe(response.json.data!['state'])
    expect(searchParams.get('state')!.length).toBeGreaterThanOrEqual(22)
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-tidegate_sign_in=.*Path=\/; HttpOnly; Secure; SameSite=Strict/,
    )
  })

  it('links the account of the user who started, and records it', async () => {
    const person = newOAuthUser(site, service)
    const member = await site.member()

    const response = await signInWithOAuth(member, service, person, { intent: 'bind' })

    expect(response.json).toEqual({ success: true, message: 'bind' })
    expect(await site.userWith(service, person.subject)).toMatchObject({ id: member.userId })
    const subject = String(member.userId)
    const [event] = await auditEvents.page(site.db, { action: 'user.bind', subject }, { limit: 1, offset: 0 })
    expect(event).toMatchObject({
      actor_id: member.userId,
      details: { service, label: expect.stringMatching(/person/) },
    })
    const log = await site.db
      .selectFrom('usage_log')
      .select('other')
      .where('user_id', '=', member.userId)
      .executeTakeFirstOrThrow()
    expect(log.other).toMatchObject({ event: 'service_bound', service })
    expect((await signInWithOAuth(site.newBrowser(), service, person)).json.data).toMatchObject({ id: member.userId })
  })

  it('replaces a linked account of the same provider', async () => {
    const [before, after] = [newOAuthUser(site, service), newOAuthUser(site, service)]
    const member = await site.member()
    await signInWithOAuth(member, service, before, { intent: 'bind' })

    await signInWithOAuth(member, service, after, { intent: 'bind' })

    expect(await site.userWith(service, before.subject)).toBeUndefined()
    expect(await site.userWith(service, after.subject)).toMatchObject({ id: member.userId })
  })

  it('rejects a profile that is already linked, also to a deregistered user', async () => {
    const person = newOAuthUser(site, service)
    const owner = await site.member()
    await signInWithOAuth(owner, service, person, { intent: 'bind' })
    const rival = await site.member()

    expect((await signInWithOAuth(owner, service, person, { intent: 'bind' })).json.code).toBe('oauth_already_bound')
    expect((await signInWithOAuth(rival, service, person, { intent: 'bind' })).json.code).toBe('oauth_already_bound')

    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', owner.userId).execute()
    const response = await signInWithOAuth(rival, service, person, { intent: 'bind' })
    expect(response.json).toMatchObject({ code: 'oauth_already_bound', message: `该 ${NAME[service]} 账户已被绑定` })
    expect((await signInWithOAuth(site.newBrowser(), service, person)).json.code).toBe('user_deregistered')
  })

  it('rejects banned users', async () => {
    const person = newOAuthUser(site, service)
    const { json } = await signInWithOAuth(site.newBrowser(), service, person)
    await site.db
      .updateTable('user')
      .set({ status: 2 })
      .where('id', '=', json.data!['id'] as number)
      .execute()
    const browser = site.newBrowser()

    const again = await signInWithOAuth(browser, service, person)

    expect(again.json).toMatchObject({ success: false, code: 'user_banned' })
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  it('requests the second factor', async () => {
    const person = newOAuthUser(site, service)
    const { json } = await signInWithOAuth(site.newBrowser(), service, person)
    const userId = json.data!['id'] as number
    await site.db
      .insertInto('totp')
      .values({ user_id: userId, sealed_secret: 'sealed', enabled_at: new Date() })
      .execute()
    const browser = site.newBrowser()

    const again = await signInWithOAuth(browser, service, person)

    expect(again.json).toMatchObject({ success: false, code: 'second_factor_required' })
    expect(again.json.data).toMatchObject({ ticket: expect.any(String), methods: expect.arrayContaining(['totp']) })
    browser.userId = userId
    expect((await browser.get('/api/user/self')).json.code).toBe('not_logged_in')
  })

  it('unlinks an account, but not the last login method', async () => {
    const person = newOAuthUser(site, service)
    const newAccount = site.newBrowser()
    newAccount.userId = (await signInWithOAuth(newAccount, service, person)).json.data!['id'] as number
    const member = await site.member()
    await signInWithOAuth(member, service, newOAuthUser(site, service), { intent: 'bind' })

    const last = await newAccount.post('/api/user/identities/unbind', { service })
    const one = await member.post('/api/user/identities/unbind', { service })
    const none = await member.post('/api/user/identities/unbind', { service })

    expect(last.json.code).toBe('last_sign_in')
    expect(await site.userWith(service, person.subject)).toBeDefined()
    expect(one.json).toEqual({ success: true, message: '' })
    expect(none.json.code).toBe('identity_not_bound')
    const subject = String(member.userId)
    const [event] = await auditEvents.page(site.db, { action: 'user.unbind', subject }, { limit: 1, offset: 0 })
    expect(event).toMatchObject({ details: { service, label: expect.stringMatching(/person/) } })
  })

  it('is rejected while it is disabled, also during a flow', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const spent = countExchanges(service)
    await site.set({ [SWITCH[service]]: 'false' })

    expect((await browser.post('/api/oauth/start', { service })).json.code).toBe('oauth_disabled')
    expect((await browser.finish(service, back)).json.code).toBe('oauth_disabled')
    expect(countExchanges(service)).toBe(spent)

    await site.set({ [SWITCH[service]]: 'true' })
    expect((await browser.finish(service, back)).json.success).toBe(true)
  })

  it('returns the error of a denied authorization and consumes the state', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).deny(url)

    const response = await browser.finish(service, back)
    const again = await browser.finish(service, back)

    expect(response.json).toMatchObject({ success: false, code: 'oauth_refused' })
    expect(response.json.message).toContain('The person said no')
    expect(again.json.code).toBe('oauth_state_invalid')
  })

  it('works once for two concurrent requests', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const spent = countExchanges(service)

    const responses = await Promise.all(Array.from({ length: 5 }, () => browser.finish(service, back)))

    expect(responses.filter(({ json }) => json.success)).toHaveLength(1)
    const rejected = responses.filter(({ json }) => !json.success)
    expect(rejected.map(({ status, json }) => [status, json.code])).toEqual(
      Array.from({ length: 4 }, () => [403, 'oauth_state_invalid']),
    )
    expect(countExchanges(service)).toBe(spent + 1)
  })

  it.each([
    ['without a state', (back: Record<string, string>) => ({ ...back, state: '' })],
    ['with a made-up state', (back: Record<string, string>) => ({ ...back, state: 'x'.repeat(32) })],
  ])('redeems no code %s', async (_, change) => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const spent = countExchanges(service)

    const response = await browser.finish(service, change(back))

    expect(response).toMatchObject({ status: 403, json: { code: 'oauth_state_invalid' } })
    expect(countExchanges(service)).toBe(spent)
  })

  it('redeems no code in another browser', async () => {
    const { url } = await site.newBrowser().start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const victim = site.newBrowser()
    await victim.start(service)
    const spent = countExchanges(service)

    expect((await site.newBrowser().finish(service, back)).json.code).toBe('oauth_state_invalid')
    expect((await victim.finish(service, back)).json.code).toBe('oauth_state_invalid')
    expect(countExchanges(service)).toBe(spent)
  })

  it('redeems no code with a state of another provider', async () => {
    const browser = site.newBrowser()
    const other = service === 'github' ? 'linuxdo' : 'github'
    const { state } = await browser.start(other)
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const spent = countExchanges(service)

    const response = await browser.finish(service, { ...back, state })

    expect(response.json.code).toBe('oauth_state_invalid')
    expect(countExchanges(service)).toBe(spent)
  })

  it('redeems no code after eleven minutes', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    const spent = countExchanges(service)

    site.shiftClock(11 * 60_000)

    expect((await browser.finish(service, back)).json.code).toBe('oauth_state_invalid')
    expect(countExchanges(service)).toBe(spent)
  })

  it('allows two flows of one browser to finish in any order', async () => {
    const browser = site.newBrowser()
    const person = newOAuthUser(site, service)
    const [first, second] = [await browser.start(service), await browser.start(service)]
    const [backFirst, backSecond] = [await person.approve(first.url), await person.approve(second.url)]

    expect((await browser.finish(service, backSecond)).json.success).toBe(true)
    expect((await browser.finish(service, backFirst)).json.success).toBe(true)
  })

  it('reports an unreachable provider and logs the reason', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start(service)
    const back = await newOAuthUser(site, service).approve(url)
    if (service === 'oidc') site.oidc.breakDown(true)
    else (service === 'github' ? site.github : site.linuxDo).fail('down')

    const response = await browser.finish(service, back)

    expect(response.json).toMatchObject({ success: false, code: 'oauth_unreachable' })
    expect(response.json.message).toBe(`无法连接至 ${NAME[service]} 服务器，请稍后重试`)
    expect(site.problems.at(-1)).toMatchObject({ service, reason: [expect.stringContaining('503')] })
  })
})
