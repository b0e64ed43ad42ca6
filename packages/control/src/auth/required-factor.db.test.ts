import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { errorCode, startSecuritySite, type Client, type SecuritySite } from '../../test/security-site.ts'
import { PASSWORD } from '../../test/start-site.ts'

const REQUIRE = 'security.require_two_factor_for_admins'
const REQUIRED = 'admin_second_factor_required'

let site: SecuritySite
let rootSecret: string
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

const setOption = (client: Client, value: boolean) =>
  errorCode(client.send(api.updateOption, { body: { key: REQUIRE, value: String(value) } }))

/** Sends requests with the system access token of a client. */
async function programWithToken(client: Client) {
  const token = await client.call(api.renewAccessToken)
  const headers = { authorization: `Bearer ${token}`, 'tidegate-user': String(client.userId) }
  return () => errorCode(apiClient(site.url).send(api.getSelf, { headers }))
}

describe('the required second factor of administrators', () => {
  it('cannot be enabled while the super admin has none', async () => {
    const root = await site.freshRoot()

    expect(await setOption(root, true)).toBe('policy_needs_own_factor')
    const yaml = 'tidegate: 1\noptions:\n  security.require_two_factor_for_admins: true\n'
    const { version } = await root.call(api.planConfig, { body: { yaml } })
    const applied = root.send(api.applyConfig, { body: { yaml, expect_version: version } })
    expect(await errorCode(applied)).toBe('policy_needs_own_factor')
    expect(site.deps.catalog().settings[REQUIRE]).toBe(false)

    rootSecret = (await site.enableTotp(root)).secret
    expect(await setOption(root, true)).toBeUndefined()
  })

  it('leaves administrators without one only the endpoints to set one up', async () => {
    const admin = await site.signedIn('admin')
    const allowed = [api.getSelf, api.getSecurity, api.listSessions]
    const rejected = [api.listUsers, api.listTokens, api.renewAccessToken, api.listAutomationTokens, api.getInviteCode]

    for (const endpoint of allowed) expect(await errorCode(admin.send(endpoint))).toBeUndefined()
    for (const endpoint of rejected) expect(await errorCode(admin.send(endpoint))).toBe(REQUIRED)
    expect(await admin.call(api.getSecurity)).toMatchObject({ second_factor_missing: true })

    await site.enableTotp(admin)

    for (const endpoint of [...allowed, ...rejected]) expect(await errorCode(admin.send(endpoint))).toBeUndefined()
    expect(await admin.call(api.getSecurity)).toMatchObject({ second_factor_missing: false })
  })

  it('accepts a passkey, and allows logging out without one', async () => {
    const [admin, other] = [await site.signedIn('admin'), await site.signedIn('admin')]

    await site.addPasskey(admin)

    expect(await errorCode(admin.send(api.listUsers))).toBeUndefined()
    expect(await errorCode(other.send(api.logout))).toBeUndefined()
    expect(await errorCode(other.send(api.getSelf))).toBe('not_logged_in')
  })

  it('rejects all tokens of an administrator without one', async () => {
    const admin = await site.signedIn('admin')
    await site.enableTotp(admin)
    const [robot, withToken] = [await createAutomationClient(admin, ['account:read']), await programWithToken(admin)]
    expect([await errorCode(robot.send(api.getSelf)), await withToken()]).toEqual([undefined, undefined])

    await site.db.deleteFrom('totp').where('user_id', '=', admin.userId!).execute()

    expect([await errorCode(robot.send(api.getSelf)), await withToken()]).toEqual([REQUIRED, REQUIRED])
  })

  it('cannot be removed if it is the last one', async () => {
    const admin = await site.signedIn('admin')
    await site.enableTotp(admin)
    await site.addPasskey(admin)
    const [passkey] = (await admin.call(api.getSecurity)).passkeys
    const removePasskey = () => errorCode(admin.send(api.removePasskey, { path: { id: passkey!.id } }))

    expect(await errorCode(admin.send(api.disableTotp))).toBeUndefined()
    expect(await removePasskey()).toBe('last_second_factor')
    await site.enableTotp(admin)
    expect(await removePasskey()).toBeUndefined()
    expect(await errorCode(admin.send(api.disableTotp))).toBe('last_second_factor')
    expect((await admin.call(api.getSecurity)).totp).not.toBeNull()
  })

  it('applies to promoted users, but not to ordinary users', async () => {
    const user = await site.signedIn('user')
    expect(await errorCode(user.send(api.listTokens))).toBeUndefined()
    const { ticket } = await site.halfLogin(site.root)
    const { browser: root } = await site.finish({ login_ticket: ticket, code: site.freshCode(rootSecret) })

    await root!.call(api.manageUser, { body: { id: user.userId!, action: 'promote' } })

    await user.login(user.username, PASSWORD)
    expect(await errorCode(user.send(api.listTokens))).toBe(REQUIRED)
    await site.enableTotp(user)
    expect(await errorCode(user.send(api.listTokens))).toBeUndefined()
  })

  it('treats an administrator without one as anonymous where login is optional', async () => {
    const admin = await site.signedIn('admin')

    await site.set({
      ServerAddress: 'https://gate.example',
      GitHubClientId: 'id',
      GitHubClientSecret: 'secret',
      GitHubOAuthEnabled: 'true',
    })
    const bind = () => errorCode(admin.send(api.startSignIn, { body: { service: 'github', intent: 'bind' } }))

    expect(await bind()).toBe('not_logged_in')
    await site.enableTotp(admin)
    expect(await bind()).toBeUndefined()
  })
})
