import { api } from '@tidegate/contract'
import { startOidcProvider, type ApiClient, type OidcProvider } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../test-site.ts'

let site: TestSite
let oidc: OidcProvider
let root: ApiClient
beforeAll(async () => {
  oidc = await startOidcProvider({
    clientId: 'gate',
    clientSecret: 'a-secret',
    redirectUris: ['https://gate.example/'],
  })
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(async () => {
  await site.close()
  await oidc.close()
})

const discover = (well_known: string) => root.call(api.discoverOidc, { body: { well_known } })

describe('a discovery document', () => {
  it('gives the three addresses', async () => {
    const found = await discover(oidc.wellKnown)

    for (const address of Object.values(found)) expect(new URL(address).origin).toBe(new URL(oidc.wellKnown).origin)
    expect(Object.keys(found)).toEqual(['authorization_endpoint', 'token_endpoint', 'user_info_endpoint'])
  })

  it.each([
    ['', 'oauth_unreachable'],
    ['nowhere', 'oauth_unreachable'],
    ['http://127.0.0.1:1/.well-known/openid-configuration', 'oauth_unreachable'],
    ['http://reef.example/.well-known/openid-configuration', 'oauth_unreachable'],
  ])('at %j is refused as %s', async (wellKnown, code) => {
    await expect(discover(wellKnown)).rejects.toMatchObject({ code })
  })

  it('that is none is refused', async () => {
    const elsewhere = new URL('/no-such-document', oidc.wellKnown).href

    await expect(discover(elsewhere)).rejects.toMatchObject({ code: 'oauth_bad_answer' })
  })
})
