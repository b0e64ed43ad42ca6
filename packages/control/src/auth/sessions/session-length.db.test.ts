import { api } from '@tidegate/contract'
import { sessions } from '@tidegate/storage'
import { apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { errorCode, startSecuritySite, type SecuritySite } from '../../../test/security-site.ts'
import { PASSWORD } from '../../../test/start-site.ts'
import { sessionLimits } from './sessions.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
afterEach(async () => {
  await site.freshRoot()
  await site.set({ 'security.session_days': '30', 'security.session_idle_minutes': '0' })
})

const readSelf = (client: ApiClient) => errorCode(client.send(api.getSelf))

describe('the session length', () => {
  it('is thirty days by default and configurable', async () => {
    const user = await site.signedIn('user')
    const login = async () => {
      const { response } = await apiClient(site.url).send(api.login, {
        body: { username: user.username, password: PASSWORD },
      })
      return /tidegate_session=[^;]+; Max-Age=(\d+)/.exec(response.headers.getSetCookie().join())?.[1]
    }
    expect(await login()).toBe(String(30 * DAY))

    await site.set({ 'security.session_days': '7' })

    expect(await login()).toBe(String(7 * DAY))
    const [latest] = await user.call(api.listSessions)
    expect(Date.parse(latest!.expires_at) - Date.parse(latest!.created_at)).toBe(7 * DAY * 1000)
  })

  it('applies to open sessions when it is shortened', async () => {
    const user = await site.signedIn('user')
    site.passSeconds(2 * DAY)
    expect(await readSelf(user)).toBeUndefined()

    await site.freshRoot()
    await site.set({ 'security.session_days': '1' })

    expect(await readSelf(user)).toBe('not_logged_in')
  })

  it('does not extend shorter sessions', async () => {
    await site.set({ 'security.session_days': '1' })
    const user = await site.signedIn('user')
    await site.set({ 'security.session_days': '90' })

    site.passSeconds(DAY + 1)

    expect(await readSelf(user)).toBe('not_logged_in')
  })

  it.each(['0', '91', '1.5', ''])('cannot be %j days', async (value) => {
    const root = await site.freshRoot()

    const body = { key: 'security.session_days', value }
    expect(await errorCode(root.send(api.updateOption, { body }))).toBe('option_invalid')
  })
})

describe('idle sessions', () => {
  it('end after the idle time, but not while they are used', async () => {
    await site.set({ 'security.session_idle_minutes': '15' })
    const [busy, idle] = [await site.signedIn('user'), await site.signedIn('user')]

    for (let minutes = 0; minutes < 40; minutes += 10) {
      expect(await readSelf(busy)).toBeUndefined()
      site.passSeconds(10 * MINUTE)
    }

    expect(await readSelf(busy)).toBeUndefined()
    expect(await readSelf(idle)).toBe('not_logged_in')
  })

  it('are not extended by background requests', async () => {
    await site.set({ 'security.session_idle_minutes': '15' })
    const user = await site.signedIn('user')

    site.passSeconds(10 * MINUTE)
    expect(await errorCode(user.send(api.getUnreadCount))).toBeUndefined()
    site.passSeconds(10 * MINUTE)

    expect(await errorCode(user.send(api.getUnreadCount))).toBe('not_logged_in')
  })

  it('do not end by default', async () => {
    const user = await site.signedIn('user')

    site.passSeconds(29 * DAY)

    expect(await readSelf(user)).toBeUndefined()
  })
})

it('are removed by the job, so that a longer limit does not restore them', async () => {
  const user = await site.signedIn('user')
  site.passSeconds(2 * DAY)
  await site.freshRoot()
  await site.set({ 'security.session_days': '1' })

  await sessions.removeExpired(site.db, sessionLimits(site.deps.catalog().settings, site.deps.now()))
  await site.set({ 'security.session_days': '30' })

  expect(await readSelf(user)).toBe('not_logged_in')
})
