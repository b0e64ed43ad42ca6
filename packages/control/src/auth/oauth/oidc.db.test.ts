import { startOidcProvider } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADDRESS, startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())
afterEach(async () => {
  site.oidc.alterIdTokens(undefined)
  site.oidc.breakDown(false)
  await site.set({ 'oidc.well_known': site.oidc.wellKnown })
})

async function comeAs(login: string, provider = site.oidc) {
  const browser = site.newBrowser()
  const { url } = await browser.start('oidc')
  return (await browser.finish('oidc', await provider.signIn(url, login))).json
}

describe('OIDC with discovery', () => {
  it('uses name and verified address of the claims', async () => {
    const { data } = await comeAs('alice')

    expect(data).toMatchObject({ username: 'alice', display_name: 'alice of Harbour' })
    expect(await site.userWith('oidc', 'alice')).toMatchObject({ email: 'alice@harbour.example' })
  })

  it.each([
    ['email', { email_verified: false }, { email: '' }],
    ['email', { email_verified: 'true' }, { email: '' }],
    ['display_name', { name: undefined }, { display_name: 'OIDC User' }],
    ['username', { preferred_username: 'Admin' }, { username: expect.stringMatching(/^oidc_\w+$/) }],
    ['username', { preferred_username: 'github_7' }, { username: expect.stringMatching(/^oidc_\w+$/) }],
    ['username', { preferred_username: 'alice' }, { username: expect.stringMatching(/^oidc_\w+$/) }],
    ['username', { preferred_username: 'a very long name indeed' }, { username: 'averylongnam' }],
    ['username', { preferred_username: 'bob.b@corp.example' }, { username: 'bob.b' }],
    ['username', { preferred_username: 42 }, { username: expect.stringMatching(/^oidc_\w+$/) }],
  ])('chooses the %s from %j', async (_, claims, expected) => {
    const login = `p-${Math.random().toString(36).slice(2)}`
    site.oidc.setClaims(login, claims)

    await comeAs(login)

    expect(await site.userWith('oidc', login)).toMatchObject(expected)
  })

  it.each([
    ['of another round trip', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'another-client' } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['that another issuer signed', { signedBy: 'another-issuer' }],
    ['about another person than the profile', { claims: { sub: 'mallory' } }],
  ] as const)('does not believe an ID token %s', async (_, change) => {
    site.oidc.alterIdTokens(change)

    expect(await comeAs('eve')).toMatchObject({ success: false, code: 'oauth_bad_answer' })
    expect(await site.userWith('oidc', 'eve')).toBeUndefined()
    expect(await site.userWith('oidc', 'mallory')).toBeUndefined()
  })

  it('rejects a response of another issuer', async () => {
    const browser = site.newBrowser()
    const { url } = await browser.start('oidc')
    const back = await site.oidc.signIn(url, 'carol')

    const result = await browser.finish('oidc', { ...back, iss: 'https://other.example' })

    expect(result.json.code).toBe('oauth_bad_answer')
  })

  it('separates subjects of two issuers', async () => {
    const other = await startOidcProvider({
      clientId: 'gate',
      clientSecret: 'gate-secret-0123456789',
      redirectUris: [`${ADDRESS}/oauth/oidc`],
      clientAuth: 'client_secret_post',
    })
    const here = await comeAs('dora')
    await site.set({ 'oidc.well_known': other.wellKnown })

    const there = await comeAs('dora', other)
    await other.close()

    expect(there).toMatchObject({ success: true })
    expect(there.data!['id']).not.toBe(here.data!['id'])
  })

  it('caches the discovery document, but not failures', async () => {
    const path = '/.well-known/openid-configuration'
    await site.set({ 'oidc.well_known': `${site.oidc.wellKnown}?again` })
    const read = site.oidc.countOf(path)
    site.oidc.breakDown(true)

    const down = await site.newBrowser().post('/api/oauth/start', { service: 'oidc' })
    site.oidc.breakDown(false)
    await Promise.all([comeAs('fay'), comeAs('gus')])

    expect(down.json.code).toBe('oauth_unreachable')
    expect(site.oidc.countOf(path)).toBe(read + 2)
  })

  it('rejects an invalid discovery document or one without https', async () => {
    const start = async () => (await site.newBrowser().post('/api/oauth/start', { service: 'oidc' })).json.code

    await site.set({ 'oidc.well_known': `${site.oidc.issuer}/jwks` })
    expect(await start()).toBe('oauth_bad_answer')
    await site.set({ 'oidc.well_known': 'http://id.example/.well-known/openid-configuration' })
    expect(await start()).toBe('oauth_unreachable')
    expect(site.problems.at(-1)).toMatchObject({ reason: ['http://id.example is not https'] })
  })
})

describe('OIDC with endpoints only', () => {
  const provider = startOidcProvider({
    clientId: 'gate',
    clientSecret: 'gate-secret-0123456789',
    redirectUris: [`${ADDRESS}/oauth/oidc`],
    clientAuth: 'client_secret_post',
  })
  beforeAll(async () => {
    const { authorization, token, userInfo } = (await provider).endpoints
    await site.set({
      'oidc.authorization_endpoint': `${authorization}?audience=gate`,
      'oidc.token_endpoint': token,
      'oidc.user_info_endpoint': userInfo,
    })
  })
  afterAll(async () => (await provider).close())

  const comeByEndpoints = async (login: string) => {
    await site.set({ 'oidc.well_known': '' })
    return comeAs(login, await provider)
  }

  it('uses the same issuer as with discovery', async () => {
    const first = await comeByEndpoints('hugo')

    await site.set({ 'oidc.well_known': (await provider).wellKnown })
    const second = await comeAs('hugo', await provider)

    expect(first).toMatchObject({ success: true, data: { username: 'hugo' } })
    expect(second.data!['id']).toBe(first.data!['id'])
  })

  it.each([
    ['of another round trip', { claims: { nonce: 'another' } }],
    ['for another client', { claims: { aud: 'another-client' } }],
    ['for several clients, and not for us in the first place', { claims: { aud: ['gate', 'x'], azp: 'x' } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['without an issuer', { claims: { iss: undefined } }],
    ['about another person than the profile', { claims: { sub: 'mallory' } }],
  ])('rejects an ID token %s', async (_, change) => {
    ;(await provider).alterIdTokens(change)

    const result = await comeByEndpoints('ivy')
    ;(await provider).alterIdTokens(undefined)

    expect(result).toMatchObject({ success: false, code: 'oauth_bad_answer' })
    expect(await site.userWith('oidc', 'ivy')).toBeUndefined()
  })
})
