import { randomInt } from 'node:crypto'
import { api } from '@tidegate/contract'
import { auditEvents, memoryLimiter } from '@tidegate/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../test/registration-site.ts'
import { createAutomationClient } from '../../test/automation-client.ts'
import { PASSWORD } from '../../test/start-site.ts'

let site: RegistrationSite
let at = new Date()
beforeAll(async () => {
  // Delays never expire; the test ends windows.
  site = await startRegistrationSite({ limiter: memoryLimiter({ now: () => 0 }), now: () => at })
  await site.set({ 'security.auth_failure_alert_threshold': '0' })
})
afterAll(() => site.close())

const someAddress = () => `198.51.${randomInt(256)}.${randomInt(1, 255)}`
const login = (username: string, password: string, remoteAddress: string) =>
  site.app.inject({ method: 'POST', url: '/api/user/login', remoteAddress, payload: { username, password } })

async function eventsOf(action: string, subject: string) {
  await site.deps.authFailures.flush()
  const rows = await auditEvents.page(site.db, { action, subject }, { limit: 100, offset: 0 })
  return rows.map(({ actor_id, client_ip, details }) => ({ actor_id, client_ip, details })).toReversed()
}

describe('failed logins', () => {
  it('write one event per account and address, then at 10, 100 and 1000 failures', async () => {
    const { username, userId } = await site.signedIn('user')
    const [attacker, other] = ['203.0.113.77', '203.0.113.78']
    for (let time = 0; time < 12; time++) await login(username, 'wrong password', attacker)
    await login(username, PASSWORD, other)

    expect(await eventsOf('user.login_failed', String(userId))).toEqual([
      { actor_id: null, client_ip: attacker, details: { count: 1 } },
      { actor_id: null, client_ip: attacker, details: { count: 10 } },
      { actor_id: null, client_ip: other, details: { count: 1 } },
    ])
  })

  it('start counting again after ten minutes', async () => {
    const { username, userId } = await site.signedIn('user')
    await login(username, 'wrong password', '203.0.113.79')
    at = new Date(at.getTime() + 601_000)
    await login(username, 'wrong password', '203.0.113.79')

    expect(await eventsOf('user.login_failed', String(userId))).toHaveLength(2)
  })

  it('write 103 events for 990 addresses', async () => {
    at = new Date(at.getTime() + 601_000)
    const before = await auditEvents.count(site.db, { action: 'user.login_failed' })

    for (let time = 0; time < 990; time++) {
      const origin = { clientIp: `203.0.${time % 256}.${Math.floor(time / 256)}`, requestId: '' }
      site.deps.authFailures.record({ kind: 'login_failed', origin })
    }
    await site.deps.authFailures.flush()

    expect((await auditEvents.count(site.db, { action: 'user.login_failed' })) - before).toBe(103)
  })

  it('never contain what was typed', async () => {
    await login('my secret password', 'wrong password', '203.0.113.80')

    await site.deps.authFailures.flush()
    const rows = await auditEvents.page(site.db, { action: 'user.login_failed' }, { limit: 100, offset: 0 })
    expect(JSON.stringify(rows)).not.toContain('secret')
  })
})

it('records failed re-authentications and forbidden requests', async () => {
  const user = await site.signedIn('user')

  await user.send(api.proveOwner, { body: { password: 'wrong password' } })
  await user.send(api.listOptions)

  const subject = String(user.userId)
  expect(await eventsOf('user.reauthentication_failed', subject)).toMatchObject([
    { actor_id: user.userId, details: { count: 1 } },
  ])
  expect(await eventsOf('user.forbidden', subject)).toMatchObject([
    { actor_id: user.userId, details: { count: 1, call: 'GET /api/option', reason: 'forbidden' } },
  ])
})

it('records requests outside the scopes or allowed addresses of an automation token', async () => {
  const admin = await site.signedIn('admin')
  const scopes = ['channels:read']
  const [scoped, bound] = [
    await createAutomationClient(admin, scopes),
    await createAutomationClient(admin, scopes, { allow_ips: '192.0.2.7' }),
  ]

  await scoped.send(api.listUsers)
  await bound.send(api.listUsers)

  const subject = String(admin.userId)
  expect(await eventsOf('user.forbidden', subject)).toMatchObject([{ details: { reason: 'scope_missing' } }])
  expect(await eventsOf('user.ip_not_allowed', subject)).toMatchObject([{ details: { count: 1 } }])
})

it('alerts the super admin once when failures per hour exceed the option', async () => {
  const { root } = site
  await root.login(root.username, PASSWORD)
  await site.db.updateTable('user').set({ email: 'root@example.com' }).where('id', '=', root.userId!).execute()
  await site.set({ 'security.auth_failure_alert_threshold': '20' })
  const alerts = async () => {
    await site.deps.authFailures.flush()
    return site.db.selectFrom('message').select('title').where('title', 'like', '%登录失败%').execute()
  }
  expect(await alerts()).toHaveLength(0)

  for (let time = 0; time < 25; time++) await login(`nobody-${time}`, 'wrong password', someAddress())

  expect(await alerts()).toHaveLength(1)
  const mails = await site.db
    .selectFrom('delivery')
    .select(['kind', 'target'])
    .where('type', '=', 'auth_failures')
    .execute()
  expect(mails).toEqual([{ kind: 'email', target: 'root@example.com' }])
})
