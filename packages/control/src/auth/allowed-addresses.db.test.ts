import { api } from '@tidegate/contract'
import { apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { applyConfig } from '../settings/config-file/apply-config.ts'
import { planConfig } from '../settings/config-file/plan-config.ts'
import { authenticateConsoleUser } from './authenticate.ts'
import { PASSWORD, startTestSite, type TestSite } from '../../test/start-site.ts'

type Client = ApiClient & { username: string }

const KEY = 'security.console_allowed_addresses'
const [INSIDE, OUTSIDE] = ['203.0.113.7', '198.51.100.9']
const NOT_ALLOWED = 'admin_address_not_allowed'

let site: TestSite
let root: Client
beforeAll(async () => {
  site = await startTestSite({ site: { trustedProxies: ['127.0.0.1'] } })
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())
afterEach(() => set(''))

/** Requests come through a proxy that names the client. */
const at = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const codeOf = async (result: Promise<{ envelope: object }>) => ((await result).envelope as { code?: string }).code
const set = (value: string, address = INSIDE) =>
  codeOf(root.send(api.updateOption, { body: { key: KEY, value }, ...at(address) }))
const login = (username: string, address: string) =>
  codeOf(apiClient(site.url).send(api.login, { body: { username, password: PASSWORD }, ...at(address) }))

/** Like the command line, without a user. */
async function applyOnCommandLine(yaml: string): Promise<void> {
  const file = { yaml, passphrase: undefined, variable: () => undefined, prune: false }
  const plan = await planConfig(site.deps, file)
  await applyConfig(site.deps, { id: null }, { ...file, expectVersion: plan.version })
}

describe('allowed addresses of administrators', () => {
  it.each([
    ['an address', '203.0.113.7'],
    ['a range', '10.0.0.0/8,203.0.113.0/24'],
    ['several, in IPv4 and IPv6', '2001:db8::/32, 203.0.113.7'],
  ])('accept %s', async (_, value) => {
    const admin = await site.signedIn('admin')

    expect(await set(value)).toBeUndefined()

    expect(await codeOf(admin.send(api.listUsers, at(INSIDE)))).toBeUndefined()
    expect(await codeOf(admin.send(api.listUsers, at(OUTSIDE)))).toBe(NOT_ALLOWED)
  })

  it('compare IPv6 by value', async () => {
    const admin = await site.signedIn('admin')
    expect(await set('2001:DB8:0:1::/64', '2001:db8:0:1::5')).toBeUndefined()

    expect(await codeOf(admin.send(api.getSelf, at('2001:0db8:0000:0001::9')))).toBeUndefined()
    expect(await codeOf(admin.send(api.getSelf, at('2001:db8:0:2::9')))).toBe(NOT_ALLOWED)
    expect(await set('', '2001:db8:0:1::5')).toBeUndefined()
  })

  it.each(['203.0.113.300', 'gate.example', '10.0.0.0/33', '2001:db8::/129', '10.0.0.0/8/8'])(
    'cannot be %s',
    async (value) => {
      expect(await set(`${INSIDE},${value}`)).toBe('option_invalid')
    },
  )

  it('cannot exclude the administrator who saves them', async () => {
    expect(await set('10.0.0.0/8')).toBe('policy_excludes_own_address')

    const yaml = `tidegate: 1\noptions:\n  ${KEY}: [10.0.0.0/8]\n`
    const { version } = await root.call(api.planConfig, { body: { yaml }, ...at(INSIDE) })
    const applied = root.send(api.applyConfig, { body: { yaml, expect_version: version }, ...at(INSIDE) })
    expect(await codeOf(applied)).toBe('policy_excludes_own_address')
    expect(site.deps.catalog().settings[KEY]).toEqual([])
  })

  it('apply to sessions, access tokens, automation tokens and logins of administrators', async () => {
    const admin = await site.signedIn('admin')
    const token = await admin.call(api.renewAccessToken)
    const robot = await createAutomationClient(admin, ['account:read'])
    const withToken = (address: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'tidegate-user': String(admin.userId),
        ...at(address).headers,
      }
      return apiClient(site.url).send(api.getSelf, { headers })
    }
    await set(INSIDE)

    for (const address of [INSIDE, OUTSIDE]) {
      const expected = address === INSIDE ? undefined : NOT_ALLOWED
      expect(await codeOf(admin.send(api.getSelf, at(address)))).toBe(expected)
      expect(await codeOf(withToken(address))).toBe(expected)
      expect(await codeOf(robot.send(api.getSelf, at(address)))).toBe(expected)
      expect(await login(admin.username, address)).toBe(expected)
    }
    await site.deps.authFailures.flush()
    const recorded = await site.db
      .selectFrom('audit_event')
      .select('client_ip')
      .where('action', '=', 'user.ip_not_allowed')
      .execute()
    expect(new Set(recorded.map(({ client_ip }) => client_ip))).toEqual(new Set([OUTSIDE, '2001:db8:0:2::9']))
  })

  it('apply to the playground of administrators', async () => {
    const admin = await site.signedIn('admin')
    const { response } = await apiClient(site.url).send(api.login, {
      body: { username: admin.username, password: PASSWORD },
    })
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const headers = { cookie: cookie.join('; '), 'tidegate-user': String(admin.userId) }
    const identify = (clientIp: string) => authenticateConsoleUser(site.deps, headers, { clientIp, requestId: '' })
    await set(INSIDE)

    await expect(identify(INSIDE)).resolves.toMatchObject({ id: admin.userId })
    await expect(identify(OUTSIDE)).rejects.toMatchObject({ code: NOT_ALLOWED })
  })

  it('do not apply to ordinary users', async () => {
    const user = await site.signedIn('user')
    await set(INSIDE)

    expect(await codeOf(user.send(api.getSelf, at(OUTSIDE)))).toBeUndefined()
    expect(await login(user.username, OUTSIDE)).toBeUndefined()
  })

  it('can be cleared on the command line after a lockout', async () => {
    await applyOnCommandLine(`tidegate: 1\noptions:\n  ${KEY}: [192.0.2.1]\n`)
    expect(await codeOf(root.send(api.getSelf, at(INSIDE)))).toBe(NOT_ALLOWED)

    await applyOnCommandLine('tidegate: 1\noptions:\n  security.console_allowed_addresses: []\n')

    expect(await codeOf(root.send(api.getSelf, at(INSIDE)))).toBeUndefined()
  })
})
