import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import { errorMessage } from '@tidegate/contract'
import { startFakeTurnstile, type FakeTurnstile } from '@tidegate/testing'
import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../test/registration-site.ts'
import { checkTurnstile } from './turnstile.ts'

let turnstile: FakeTurnstile
let site: RegistrationSite
let shiftMs = 0
beforeAll(async () => {
  turnstile = await startFakeTurnstile('shared-secret')
  site = await startRegistrationSite({
    site: { turnstileVerifyUrl: turnstile.url },
    now: () => new Date(Date.now() + shiftMs),
  })
  await site.set({ TurnstileSiteKey: 'site-key', TurnstileSecretKey: 'shared-secret', TurnstileCheckEnabled: 'true' })
})
beforeEach(async () => {
  shiftMs = 0
  turnstile.breakDown(false)
  await site.set({ SMTPServer: '', ServerAddress: '' })
})
afterAll(async () => {
  await site.close()
  await turnstile.close()
})

const login = (token?: string, cookie = '', remoteAddress = '10.200.0.1') =>
  site.app.inject({
    method: 'POST',
    url: `/api/user/login${token === undefined ? '' : `?turnstile=${token}`}`,
    payload: { username: `nobody-${randomUUID()}`, password: 'nothing-at-all' },
    headers: { cookie },
    remoteAddress,
  })
const passOf = (result: Awaited<ReturnType<typeof login>>) =>
  result.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
/** Any error other than those of Turnstile. */
const passed = { code: expect.not.stringContaining('turnstile') }

describe('Turnstile', () => {
  it.each([
    ['POST', '/api/user/login', { username: 'nobody', password: 'nothing-at-all' }],
    ['POST', '/api/user/register', { username: '@', password: 'x' }],
    ['GET', '/api/verification?email=x', undefined],
    ['POST', '/api/verification', { email: 'x' }],
    ['GET', '/api/reset_password?email=x', undefined],
    ['POST', '/api/reset_password', { email: 'x' }],
  ] as const)('protects %s %s', async (method, url, body) => {
    const withToken = (token: string) => `${url}${url.includes('?') ? '&' : '?'}turnstile=${token}`

    expect((await site.request(method, url, body)).json).toMatchObject({ success: false, code: 'turnstile_empty' })
    expect((await site.request(method, withToken('forged'), body)).json).toMatchObject({ code: 'turnstile_failed' })
    expect((await site.request(method, withToken(turnstile.issue()), body)).json).toMatchObject(passed)
  })

  it('sends secret, token and client address to the provider', async () => {
    const token = turnstile.issue()

    await login(token, '', '10.200.0.9')

    expect(turnstile.received.at(-1)).toEqual({ secret: 'shared-secret', response: token, remoteip: '10.200.0.9' })
  })

  it('stores a pass for ten minutes, per browser and address', async () => {
    const token = turnstile.issue()
    const pass = passOf(await login(token, '', '10.200.0.2'))
    const [checks, later] = [turnstile.received.length, () => login(token, pass, '10.200.0.2')]

    expect((await later()).json()).toMatchObject(passed)
    expect((await login(undefined, pass, '10.200.0.2')).json()).toMatchObject(passed)
    expect(turnstile.received.length).toBe(checks)
    expect((await login(token, '', '10.200.0.2')).json()).toMatchObject({ code: 'turnstile_failed' })
    expect((await login(undefined, pass, '10.200.0.3')).json()).toMatchObject({ code: 'turnstile_empty' })
    shiftMs = 600_001
    expect((await login(undefined, pass, '10.200.0.2')).json()).toMatchObject({ code: 'turnstile_empty' })
  })

  it('requires a new token where passes are not accepted', async () => {
    const app = fastify()
    await app.register(cookie)
    app.get<{ Querystring: { turnstile?: string } }>('/redeem', async (request, reply) => {
      const origin = { clientIp: '10.200.0.8', isLocal: false, isSecure: false, userAgent: '', requestId: '' }
      await checkTurnstile(site.deps, { query: request.query, origin, request, reply }, ['redeem'], { remember: false })
      return 'passed'
    })
    const pass = passOf(await login(turnstile.issue(), '', '10.200.0.8'))
    const redeem = (query: string) => app.inject({ url: `/redeem${query}`, headers: { cookie: pass } })
    const token = turnstile.issue()

    const first = await redeem(`?turnstile=${token}`)

    expect(first.body).toBe('passed')
    expect(first.headers['set-cookie']).toBeUndefined()
    expect((await redeem(`?turnstile=${token}`)).statusCode).toBe(500)
    expect((await redeem('')).json()).toMatchObject({ message: errorMessage('turnstile_empty', 'en') })
    await app.close()
  })

  it('rejects passes with a wrong signature', async () => {
    const pass = passOf(await login(turnstile.issue(), '', '10.200.0.4'))
    const later = pass.replace(/=(\d+)/, (_, expires: string) => `=${Number(expires) + 9999}`)

    for (const forged of [later, 'tidegate_human=', 'tidegate_human=9999999999..', 'tidegate_human=x.y.z']) {
      expect((await login(undefined, forged, '10.200.0.4')).json()).toMatchObject({ code: 'turnstile_empty' })
    }
  })

  it('protects the pass cookie from scripts and other sites', async () => {
    const result = await login(turnstile.issue(), '', '10.200.0.5')

    expect(result.headers['set-cookie']).toMatch(
      /^tidegate_human=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  it('rejects a token of another site or action', async () => {
    await site.set({ ServerAddress: 'https://gate.example' })
    const ours = { hostname: 'gate.example' }

    const codes = []
    for (const facts of [{ hostname: 'evil.example' }, { ...ours, action: 'register' }, { ...ours, action: 'login' }]) {
      codes.push((await login(turnstile.issue(facts), '', '10.200.0.6')).json().code)
    }

    expect(codes).toEqual(['turnstile_failed', 'turnstile_failed', 'login_failed'])
  })

  it('rejects while the provider is unreachable, and logs it', async () => {
    turnstile.breakDown(true)

    const result = await login(turnstile.issue(), '', '10.200.0.7')

    expect(result.json()).toMatchObject({ success: false, code: 'turnstile_unavailable' })
    expect(site.problems.at(-1)).toMatchObject({ err: expect.any(Error) })
    expect(result.headers['set-cookie']).toBeUndefined()
  })
})
