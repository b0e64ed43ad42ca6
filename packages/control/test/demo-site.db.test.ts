import { api, changesState, ENDPOINTS, needsLogin } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from './start-site.ts'

let site: TestSite
let root: ApiClient
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
  await root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value: true } })
})
afterAll(() => site.close())

/** GET endpoints that change or spend something. */
const ACTING_GETS = [
  'bindEmail',
  'fetchChannelModels',
  'refreshAllBalances',
  'refreshBalance',
  'renewAccessToken',
  'testAllChannels',
  'testChannel',
]

const changing = ENDPOINTS.filter(
  ({ name, endpoint }) =>
    (ACTING_GETS.includes(name) || changesState(endpoint)) && needsLogin(endpoint) && endpoint.access !== 'root',
).filter(({ endpoint }) => endpoint !== api.logout)

const ask = async (client: ApiClient, endpoint: (typeof changing)[number]['endpoint']) => {
  const body = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {}
  const { response, envelope } = await client.send(endpoint, { path: { id: 1, hash: 'a1' }, body })
  return { status: response.status, code: 'code' in envelope ? envelope.code : '' }
}

describe('a demo site', () => {
  it('covers all listed GET endpoints', () => {
    expect(changing.map(({ name }) => name)).toEqual(expect.arrayContaining(ACTING_GETS))
  })

  it.each(changing.map(({ name, endpoint }) => [name, endpoint] as const))(
    'rejects %s for an administrator',
    async (_, endpoint) => {
      expect(await ask(admin, endpoint)).toEqual({ status: 405, code: 'demo_site' })
    },
  )

  it.each(ACTING_GETS)('allows %s for its super admin only', async (name) => {
    const { endpoint } = changing.find((call) => call.name === name)!

    expect((await ask(root, endpoint)).code).not.toBe('demo_site')
  })
})
