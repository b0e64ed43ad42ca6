import { api } from '@tidegate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { errorCode, startSecuritySite, type Client, type SecuritySite } from '../../test/security-site.ts'
import { PASSWORD } from '../../test/start-site.ts'

let site: SecuritySite
let admin: Client
beforeAll(async () => {
  site = await startSecuritySite()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  site.forgetLimits()
  await site.freshRoot()
  await admin.login(admin.username, PASSWORD)
})

const loginGetsOld = () => site.passSeconds(601)
const prove = (client: Client) => client.call(api.proveOwner, { body: { password: PASSWORD } })

describe('a session without recent re-authentication', () => {
  it('cannot promote a user', async () => {
    const { userId: id } = await site.signedIn('user')
    const manage = (action: string) => errorCode(site.root.send(api.manageUser, { body: { id: id!, action } }))
    loginGetsOld()

    expect(await manage('promote')).toBe('proof_required')
    expect(await manage('disable')).toBeUndefined()
    await prove(site.root)
    expect(await manage('promote')).toBeUndefined()
  })

  it('cannot change a balance, but other fields of a user', async () => {
    const { userId: id, username } = await site.signedIn('user')
    const edit = (fields: object) => errorCode(admin.send(api.updateUser, { body: { id: id!, username, ...fields } }))
    loginGetsOld()

    expect(await edit({ quota: 5000, quota_seen: 0 })).toBe('proof_required')
    expect(await edit({ quota: 5000 })).toBe('proof_required')
    expect(await edit({ quota: 0, quota_seen: 0, display_name: 'renamed', group: 'vip' })).toBeUndefined()
    await prove(admin)
    expect(await edit({ quota: 5000, quota_seen: 0 })).toBeUndefined()
  })

  it('cannot create redemption codes or increase their value', async () => {
    const body = { name: 'spring', quota: 1000, key: 'WELCOME' }
    const create = () => errorCode(admin.send(api.createRedemptions, { body }))
    loginGetsOld()
    expect(await create()).toBe('proof_required')
    await prove(admin)
    expect(await create()).toBeUndefined()
    const { id } = (await admin.call(api.searchRedemptions, { query: { keyword: 'WELCOME' } })).items[0]!
    const edit = (fields: object, status_only = false) =>
      errorCode(admin.send(api.updateRedemption, { query: { status_only }, body: { id, ...fields } }))
    loginGetsOld()

    expect(await edit({ quota: 2000 })).toBe('proof_required')
    expect(await edit({ is_gift: true, max_uses: -1 })).toBe('proof_required')
    expect(await edit({ valid_until: 9_999_999_999 })).toBe('proof_required')
    expect(await edit({ name: 'renamed', quota: 1000 })).toBeUndefined()
    expect(await edit({ status: 2 }, true)).toBeUndefined()
    expect(await edit({ status: 1 }, true)).toBe('proof_required')
  })
})

describe('an automation token', () => {
  it('cannot promote, and creates balance with the scopes for users and redemption codes', async () => {
    const { userId: id, username } = await site.signedIn('user')
    const robot = await createAutomationClient(site.root, ['users:write', 'redemptions:write'])

    const promote = { id: id!, action: 'promote' }
    expect(await errorCode(robot.send(api.manageUser, { body: promote }))).toBe('session_required')
    const edit = { id: id!, username, quota: 5000 }
    expect(await errorCode(robot.send(api.updateUser, { body: edit }))).toBeUndefined()
    const codes = { name: 'shop', quota: 10 }
    expect(await errorCode(robot.send(api.createRedemptions, { body: codes }))).toBeUndefined()
  })

  it('gets the same redemption codes for the same idempotency key', async () => {
    const robot = await createAutomationClient(site.root, ['redemptions:write'])
    const create = () =>
      robot.call(api.createRedemptions, {
        body: { name: 'order', quota: 10 },
        headers: { 'idempotency-key': 'order-7' },
      })

    expect(await create()).toEqual(await create())
  })
})
