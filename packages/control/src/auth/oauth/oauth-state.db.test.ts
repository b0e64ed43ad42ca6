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
})

const TOKEN_PATH = { github: '/login/oauth/access_token', linuxdo: '/oauth2/token' }

describe('the purpose of an OAuth flow', () => {
  it('is a login if it started as one, also for a logged-in user', async () => {
    const member = await site.member()
    const person = newOAuthUser(site, 'github')

    const result = await signInWithOAuth(member, 'github', person)

    expect(result.json.message).toBe('')
    expect(result.json.data!['id']).not.toBe(member.userId)
  })

  it('links accounts only for the user who started, while logged in', async () => {
    const member = await site.member()
    const { username } = await site.signedIn('user')
    const wish = { intent: 'bind' } as const
    const [first, second, third] = [
      await member.start('github', wish),
      await member.start('github', wish),
      await member.start('github', wish),
    ]
    const person = newOAuthUser(site, 'github')
    const spent = site.github.countOf(TOKEN_PATH.github)

    const unnamed = await member.get('/api/oauth/github', await person.approve(first.url), { 'tidegate-user': '' })
    await member.get('/api/user/logout')
    const owner = member.userId
    const loggedOut = await member.finish('github', await person.approve(second.url))
    await member.logIn(username, 'spring-tide-42')
    const other = await member.finish('github', await person.approve(third.url))

    expect(unnamed.json.code).toBe('user_id_header_missing')
    expect(loggedOut.json.code).toBe('not_logged_in')
    expect(other.json.code).toBe('oauth_state_invalid')
    expect(owner).not.toBe(member.userId)
    expect(site.github.countOf(TOKEN_PATH.github)).toBe(spent)
    expect(await site.userWith('github', person.subject)).toBeUndefined()
  })

  it('cannot be linking without a user, the header and recent re-authentication', async () => {
    const wish = { service: 'github', intent: 'bind' }
    const member = await site.member()

    expect((await site.newBrowser().post('/api/oauth/start', wish)).json.code).toBe('not_logged_in')
    expect((await member.post('/api/oauth/start', wish, { 'tidegate-user': '' })).json.code).toBe(
      'user_id_header_missing',
    )
    site.shiftClock(11 * 60_000)
    expect((await member.post('/api/oauth/start', wish)).json.code).toBe('proof_required')
    expect((await member.get('/api/oauth/state', { intent: 'bind' })).json.code).toBe('proof_required')
    expect((await member.post('/api/user/identities/unbind', { service: 'github' })).json.code).toBe('proof_required')
  })

  it('is available to callers that build the URL themselves', async () => {
    const browser = site.newBrowser()
    const { json } = await browser.get('/api/oauth/state', { service: 'github' })
    const person = newOAuthUser(site, 'github')
    const url = new URL(`${site.github.url}/login/oauth/authorize`)
    url.search = new URLSearchParams({
      client_id: 'gate',
      redirect_uri: `${ADDRESS}/oauth/github`,
      state: json.data as unknown as string,
    }).toString()

    const result = await browser.finish('github', await person.approve(url.href))

    expect(result.json).toMatchObject({ success: true })
  })

  it.each<Record<string, string>>([{ service: 'oidc' }, {}])('returns a state for OIDC with %o', async (query) => {
    const browser = site.newBrowser()
    const { json } = await browser.get('/api/oauth/state', query)
    const url = new URL(site.oidc.endpoints.authorization)
    url.search = new URLSearchParams({
      client_id: 'gate',
      redirect_uri: `${ADDRESS}/oauth/oidc`,
      response_type: 'code',
      scope: 'openid profile email',
      state: json.data as unknown as string,
    }).toString()

    site.oidc.requirePkce(false)
    const result = await browser.finish('oidc', await newOAuthUser(site, 'oidc').approve(url.href))
    site.oidc.requirePkce(true)

    expect(result.json).toMatchObject({ success: true, data: { role: 1 } })
  })

  it('allows one use of a state without a provider, while a provider is enabled', async () => {
    const browser = site.newBrowser()
    const { json } = await browser.get('/api/oauth/state')
    const state = json.data as unknown as string
    await browser.finish('linuxdo', { state, error: 'access_denied' })

    expect((await browser.finish('github', { state, code: 'x' })).json.code).toBe('oauth_state_invalid')

    const switches = ['GitHubOAuthEnabled', 'LinuxDOOAuthEnabled', 'oidc.enabled'] as const
    const setAll = (value: string) => site.set(Object.fromEntries(switches.map((key) => [key, value])))
    await setAll('false')
    expect((await browser.get('/api/oauth/state')).json.code).toBe('oauth_disabled')
    await setAll('true')
  })

  it('limits failures per address, not successes', async () => {
    const address = '203.0.113.20'
    for (let turn = 0; turn < 25; turn += 1) {
      const { json } = await signInWithOAuth(site.newBrowser({ address }), 'github', newOAuthUser(site, 'github'))
      expect(json.success).toBe(true)
    }
    for (let turn = 0; turn < 20; turn += 1) await site.newBrowser({ address }).finish('github', { state: 'made-up' })

    expect((await site.newBrowser({ address }).finish('github', {})).status).toBe(429)
  })

  it('rejects requests of other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }

    for (const path of ['state', 'github', 'oidc', 'linuxdo', 'wechat', 'telegram/login']) {
      expect((await site.newBrowser().get(`/api/oauth/${path}`, {}, headers)).json.code).toBe('cross_site_refused')
    }
  })
})

describe('an invalid provider response', () => {
  const failures = ['garbage', 'wrong-shape', 'redirect', 'endless'] as const

  it.each(failures)('is rejected: %s', async (failure) => {
    for (const [service, fake] of [
      ['github', site.github],
      ['linuxdo', site.linuxDo],
    ] as const) {
      for (const path of [TOKEN_PATH[service], '/api/user']) {
        const browser = site.newBrowser()
        const { url } = await browser.start(service)
        const back = await newOAuthUser(site, service).approve(url)
        fake.fail(failure, path)

        const result = await browser.finish(service, back)
        fake.fail(undefined)

        expect(result.json).toMatchObject({ success: false, code: 'oauth_bad_answer' })
        expect(result.headers['set-cookie']).toBeUndefined()
      }
    }
  })

  it('counts as unreachable if the connection is dropped', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start('linuxdo')
    const back = await newOAuthUser(site, 'linuxdo').approve(url)
    site.linuxDo.fail('dropped')

    expect((await browser.finish('linuxdo', back)).json.code).toBe('oauth_unreachable')
  })

  it('does not expose provider errors to the caller', async () => {
    const browser = site.newBrowser()
    const { state } = await browser.start('github')

    const result = await browser.finish('github', { code: 'made-up', state })

    expect(result.json.code).toBe('oauth_bad_answer')
    expect(JSON.stringify(result.json)).not.toContain('secret reason')
    expect(JSON.stringify(site.problems)).not.toMatch(/gate-secret|made-up/)
  })
})
