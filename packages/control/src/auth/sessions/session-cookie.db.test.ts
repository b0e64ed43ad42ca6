import { randomBytes } from 'node:crypto'
import { api } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from '../../../test/start-site.ts'

const HTTPS = { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https' }
const PROXY = '10.0.0.1'
const HOST_COOKIE = /^__Host-tidegate_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/
const PLAIN_COOKIE = /^tidegate_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/

let site: TestSite
let user: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite({ site: { trustedProxies: [PROXY] } })
  await site.initialise()
  user = await site.signedIn('user')
})
afterAll(() => site.close())

async function login(headers: Record<string, string>, remoteAddress: string) {
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/user/login',
    remoteAddress,
    headers,
    payload: { username: user.username, password: PASSWORD },
  })
  return { line: [response.headers['set-cookie']].flat()[0]!, cookie: response.cookies[0]! }
}
const readSelf = (cookies: Record<string, string>) =>
  site.app.inject({ url: '/api/user/self', cookies, headers: { 'tidegate-user': String(user.userId) } })

describe('the session cookie', () => {
  it.each([
    ['a trusted proxy says https', HTTPS, PROXY, HOST_COOKIE],
    ['the first of several proxies says https', { ...HTTPS, 'x-forwarded-proto': 'https, http' }, PROXY, HOST_COOKIE],
    ['a trusted proxy says http', { ...HTTPS, 'x-forwarded-proto': 'http' }, PROXY, PLAIN_COOKIE],
    ['the caller says https itself', HTTPS, '203.0.113.5', PLAIN_COOKIE],
    ['no header is sent', {}, '127.0.0.1', PLAIN_COOKIE],
  ])('has the expected name when %s', async (_, headers, peer, expected) => {
    expect((await login(headers, peer)).line).toMatch(expected)
  })

  it('has the host prefix when the site address has https', async () => {
    const root = await site.signedIn('root')
    const setAddress = (value: string) => root.call(api.updateOption, { body: { key: 'ServerAddress', value } })
    await setAddress('https://tide.example')

    const { line } = await login({}, '127.0.0.1')

    await setAddress('')
    expect(line).toMatch(HOST_COOKIE)
  })

  it('counts under its own name only for an https session', async () => {
    const { cookie } = await login(HTTPS, PROXY)

    const [named, renamed] = [
      await readSelf({ [cookie.name]: cookie.value }),
      await readSelf({ tidegate_session: cookie.value }),
    ]

    expect([named.statusCode, renamed.statusCode]).toEqual([200, 401])
  })

  it('counts for an older session until that ends', async () => {
    const { cookie } = await login({}, '127.0.0.1')

    const response = await site.app.inject({
      url: '/api/user/self',
      remoteAddress: PROXY,
      cookies: { tidegate_session: cookie.value },
      headers: { ...HTTPS, 'tidegate-user': String(user.userId) },
    })

    expect(response.statusCode).toBe(200)
  })

  it('is not replaced by the cookie of a sibling host', async () => {
    const other = await site.signedIn('user')
    const { cookie } = await login(HTTPS, PROXY)
    const planted = await site.app.inject({
      method: 'POST',
      url: '/api/user/login',
      payload: { username: other.username, password: PASSWORD },
    })

    const response = await readSelf({ tidegate_session: planted.cookies[0]!.value, [cookie.name]: cookie.value })

    expect(response.json()).toMatchObject({ data: { id: user.userId } })
  })

  it('is removed under both names on logout', async () => {
    const { cookie } = await login(HTTPS, PROXY)

    const response = await site.app.inject({
      url: '/api/user/logout',
      cookies: { [cookie.name]: cookie.value },
      headers: { 'tidegate-user': String(user.userId) },
    })

    const lines = [response.headers['set-cookie']].flat()
    expect(lines).toEqual([
      expect.stringMatching(/^tidegate_session=; Max-Age=0; Path=\/;/),
      expect.stringMatching(/^__Host-tidegate_session=; Max-Age=0; Path=\/;.*Secure/),
    ])
    expect((await readSelf({ [cookie.name]: cookie.value })).statusCode).toBe(401)
  })
})

it('accepts only sessions of a login', async () => {
  const id = randomBytes(32).toString('base64url')

  expect((await readSelf({ '__Host-tidegate_session': id, tidegate_session: id })).statusCode).toBe(401)
})
