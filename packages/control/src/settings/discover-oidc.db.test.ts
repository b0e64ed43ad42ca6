import { api } from '@tidegate/contract'
import { createUpstreamClient, type UpstreamClient } from '@tidegate/providers'
import { startOidcProvider, type ApiClient, type OidcProvider } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let oidc: OidcProvider
let root: ApiClient
const openToAll = createUpstreamClient({ allowPrivateAddresses: true })
const guarded = createUpstreamClient()
beforeAll(async () => {
  oidc = await startOidcProvider({
    clientId: 'gate',
    clientSecret: 'a-secret',
    redirectUris: ['https://gate.example/'],
  })
  site = await startTestSite({ webhookClient: openToAll })
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(async () => {
  await site.close()
  await oidc.close()
  await Promise.all([openToAll.close(), guarded.close()])
})

/** Runs with other egress settings. */
async function through(client: UpstreamClient | undefined, work: () => Promise<void>): Promise<void> {
  const before = site.deps.webhookClient
  site.deps.webhookClient = client
  await work().finally(() => {
    site.deps.webhookClient = before
  })
}

const discover = (well_known: string) => root.call(api.discoverOidc, { body: { well_known } })

describe('a discovery document', () => {
  it('returns the three endpoints', async () => {
    const found = await discover(oidc.wellKnown)

    for (const address of Object.values(found)) expect(new URL(address).origin).toBe(new URL(oidc.wellKnown).origin)
    expect(Object.keys(found)).toEqual(['authorization_endpoint', 'token_endpoint', 'user_info_endpoint'])
  })

  it.each([
    ['', 'oauth_unreachable'],
    ['nowhere', 'oauth_unreachable'],
    ['http://127.0.0.1:1/.well-known/openid-configuration', 'oauth_unreachable'],
    ['http://reef.example/.well-known/openid-configuration', 'oauth_unreachable'],
  ])('is rejected: the address %j fails with %s', async (wellKnown, code) => {
    await expect(discover(wellKnown)).rejects.toMatchObject({ code })
  })

  it('is rejected if it is invalid', async () => {
    const elsewhere = new URL('/no-such-document', oidc.wellKnown).href

    await expect(discover(elsewhere)).rejects.toMatchObject({ code: 'oauth_bad_answer' })
  })

  it('is rejected in private networks unless allowed', async () => {
    const { port } = new URL(oidc.wellKnown)
    const inside = [
      oidc.wellKnown,
      `http://localhost:${port}/`,
      'https://10.0.0.7/',
      'https://169.254.169.254/',
      'https://[::1]/',
    ]

    await through(guarded, async () => {
      for (const address of inside) {
        await expect(discover(address), address).rejects.toMatchObject({ code: 'oauth_private_address' })
      }
    })
  })

  it('is rejected without a guarded client', async () => {
    await through(undefined, async () => {
      await expect(discover(oidc.wellKnown)).rejects.toMatchObject({ code: 'oauth_unreachable' })
    })
  })
})
