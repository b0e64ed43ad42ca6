import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from '../../../test/start-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
})
afterAll(() => site.close())

describe('login', () => {
  it('returns the complete user, as GET /api/user/self does', async () => {
    const { username } = await site.signedIn('admin')
    await site.db
      .updateTable('user')
      .set({ quota: 4200, email: 'complete@example.com' })
      .where('username', '=', username)
      .execute()
    const client = apiClient(site.url)

    const user = await client.login(username, PASSWORD)

    expect(user).toMatchObject({ username, role: 10, status: 1, quota: 4200, email: 'complete@example.com' })
    expect(user.aff_code).not.toBe('')
    expect(JSON.parse(user.setting)).toHaveProperty('quota_warning_threshold')
    expect(user).toEqual(await client.call(api.getSelf))
  })

  it('accepts the email address too, ignoring case', async () => {
    const { username } = await site.signedIn('user')
    await site.db.updateTable('user').set({ email: 'Some.One@example.com' }).where('username', '=', username).execute()

    await apiClient(site.url).login(' some.one@EXAMPLE.com ', PASSWORD)
    await apiClient(site.url).login(username.toUpperCase(), PASSWORD)
  })

  it('returns the same error for a wrong name, a wrong password and a banned user', async () => {
    const banned = await site.signedIn('user')
    await site.db.updateTable('user').set({ status: 2 }).where('username', '=', banned.username).execute()
    const active = await site.signedIn('user')

    const responses = await Promise.all(
      [
        ['nobody-here', PASSWORD],
        ['nobody\0here', PASSWORD],
        [active.username, 'not the password'],
        [banned.username, PASSWORD],
      ].map(([username, password]) => apiClient(site.url).send(api.login, { body: { username, password } })),
    )

    for (const { envelope } of responses) expect(envelope).toMatchObject({ success: false, code: 'login_failed' })
  })

  it('delays an account after repeated failures from any address, and returns the delay', async () => {
    const { username } = await site.signedIn('user')
    const tryFrom = (remoteAddress: string, password: string) =>
      site.app.inject({ method: 'POST', url: '/api/user/login', remoteAddress, payload: { username, password } })
    for (let attempt = 0; attempt < 5; attempt++) await tryFrom(`198.51.100.${attempt}`, 'wrong password')

    const delayed = await tryFrom('198.51.100.99', PASSWORD)

    expect(delayed.statusCode).toBe(429)
    expect(delayed.json()).toMatchObject({ success: false, code: 'login_delayed' })
    expect(Number(delayed.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('checks no more passwords of concurrent guesses than of sequential ones', async () => {
    const { username } = await site.signedIn('user')
    const guess = (turn: number) =>
      site.app.inject({
        method: 'POST',
        url: '/api/user/login',
        remoteAddress: `198.18.0.${turn}`,
        payload: { username, password: turn === 49 ? PASSWORD : 'wrong password' },
      })

    const responses = await Promise.all(Array.from({ length: 50 }, (_, turn) => guess(turn)))

    const codes = responses.map((result) => result.json<{ code: string }>().code)
    expect(codes.filter((code) => code === 'login_failed')).toHaveLength(5)
    expect(codes.filter((code) => code === 'login_delayed')).toHaveLength(45)
  })

  it('limits concurrent attempts of one address on many accounts', async () => {
    const guess = (turn: number) =>
      site.app.inject({
        method: 'POST',
        url: '/api/user/login',
        remoteAddress: '192.0.2.66',
        payload: { username: `spray-${turn}`, password: 'wrong password' },
      })

    const responses = await Promise.all(Array.from({ length: 100 }, (_, turn) => guess(turn)))

    const looked = responses.filter((result) => result.json<{ code: string }>().code === 'login_failed')
    expect(looked.length).toBeLessThanOrEqual(61)
  })

  it('delays an address that tries many accounts', async () => {
    const tryName = (username: string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/user/login',
        remoteAddress: '192.0.2.44',
        payload: { username, password: 'wrong password' },
      })
    for (let attempt = 0; attempt < 5; attempt++) await tryName(`guess-${attempt}`)

    expect((await tryName('guess-again')).json()).toMatchObject({ code: 'login_delayed' })
  })

  it('does not count successful logins against the address', async () => {
    const { username } = await site.signedIn('user')

    for (let attempt = 0; attempt < 30; attempt++) {
      const result = await site.app.inject({
        method: 'POST',
        url: '/api/user/login',
        remoteAddress: '192.0.2.55',
        payload: { username, password: PASSWORD },
      })
      expect(result.json()).toMatchObject({ success: true })
    }
  })

  it('sets a cookie that scripts and other sites cannot use, with a new id each time', async () => {
    const { username } = await site.signedIn('user')
    const login = () => apiClient(site.url).send(api.login, { body: { username, password: PASSWORD } })

    const cookies = [await login(), await login()].map(({ response }) => response.headers.getSetCookie()[0]!)

    expect(cookies[0]).toMatch(/^tidegate_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(cookies[0]).not.toBe(cookies[1])
  })

  it('stores no session id that works as a cookie', async () => {
    const client = await site.signedIn('user')
    const rows = await site.db.selectFrom('session').select('id_hash').where('user_id', '=', client.userId!).execute()

    const result = await site.app.inject({
      url: '/api/user/self',
      cookies: { tidegate_session: rows[0]!.id_hash },
      headers: { 'tidegate-user': String(client.userId) },
    })

    expect(result.statusCode).toBe(401)
  })
})

describe('logout', () => {
  it('deletes the session on the server', async () => {
    const client = await site.signedIn('user')
    const { response } = await client.send(api.getSelf)
    expect(response.status).toBe(200)

    await client.call(api.logout)

    expect(
      await site.db.selectFrom('session').select('user_id').where('user_id', '=', client.userId!).execute(),
    ).toEqual([])
  })

  it('requires the user id header', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!
    client.userId = undefined

    const { response, envelope } = await client.send(api.logout)
    client.userId = id

    expect(response.status).toBe(401)
    expect(envelope).toMatchObject({ code: 'user_id_header_missing' })
    expect(await client.call(api.getSelf)).toMatchObject({ id })
  })
})
