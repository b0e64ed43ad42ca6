import { api, ENDPOINTS } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from './start-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
})
afterAll(() => site.close())

describe('authentication of protected endpoints', () => {
  it('rejects a request without session and access token', async () => {
    await expectError(apiClient(site.url), 401, 'not_logged_in')
  })

  it('rejects an unknown access token', async () => {
    await expectError(apiClient(site.url), 401, 'access_token_invalid', { authorization: 'Bearer nobody' })
  })

  it('accepts an access token, bare or as bearer, with the user id header', async () => {
    const { userId } = await site.signedIn('user')
    const hash = site.deps.vault.keyedHash('access-token', 'a-token')
    await site.db.insertInto('access_token').values({ user_id: userId!, hash, last_four: 'oken' }).execute()

    for (const authorization of ['a-token', 'Bearer a-token']) {
      const result = await apiClient(site.url).send(api.getSelf, {
        headers: { authorization, 'tidegate-user': String(userId) },
      })
      expect(result.envelope).toMatchObject({ success: true, data: { id: userId } })
    }
    await expectError(apiClient(site.url), 401, 'user_id_header_missing', { authorization: 'a-token' })
  })

  it.each([
    ['', 'user_id_header_missing'],
    ['12x', 'user_id_header_malformed'],
    ['1e3', 'user_id_header_malformed'],
    ['999999', 'user_id_header_mismatch'],
    ['-1', 'user_id_header_mismatch'],
  ])('rejects the user id header %o', async (header, code) => {
    await expectError(await site.signedIn('user'), 401, code, { 'tidegate-user': header })
  })

  it('rejects banned and deregistered users with 401', async () => {
    const client = await site.signedIn('user')
    const change = (values: object) =>
      site.db.updateTable('user').set(values).where('id', '=', client.userId!).execute()

    await change({ status: 2 })
    await expectError(client, 401, 'user_banned')
    await change({ status: 1, deleted_at: new Date() })
    await expectError(client, 401, 'user_deregistered')
  })

  it('rejects an expired session', async () => {
    const client = await site.signedIn('user')
    await site.db
      .updateTable('session')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', client.userId!)
      .execute()

    await expectError(client, 401, 'not_logged_in')
  })

  it('rejects cross-site requests', async () => {
    await expectError(await site.signedIn('user'), 403, 'cross_site_refused', { 'sec-fetch-site': 'cross-site' })
  })
})

describe('every endpoint of the contract', () => {
  it('accepts both slash forms without a redirect', async () => {
    const wrong: object[] = []
    for (const { name, endpoint } of ENDPOINTS) {
      const path = endpoint.path.replaceAll(/\{\w+\}/g, '1')
      const payload = endpoint.method === 'GET' ? undefined : {}
      const statusOf = async (url: string) =>
        (await site.app.inject({ method: endpoint.method, url, payload })).statusCode
      const [plain, slashed] = [await statusOf(path), await statusOf(`${path}/`)]
      if (slashed !== plain || [301, 302, 307, 308, 404].includes(slashed)) wrong.push({ name, plain, slashed })
    }

    expect(wrong).toEqual([])
  })
})

describe('request handling', () => {
  it.each([
    ['POST', '/api/nothing/here?secret=1'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/channel/abc'],
    ['PUT', '/api/channel/1/nothing'],
    ['DELETE', `/api/channel/${'9'.repeat(200)}x`],
    ['DELETE', `/api/channel/${'9'.repeat(200)}`],
    ['GET', '/api/channel/%zz'],
    ['OPTIONS', '/api/nothing'],
  ] as const)('returns 404 for the unknown path %s %s', async (method, url) => {
    const result = await site.app.inject({ method, url, headers: { 'accept-language': 'en' } })

    expect(result.statusCode).toBe(404)
    expect(result.headers.allow).toBeUndefined()
    expect(result.json()).toEqual({
      success: false,
      message: `Invalid URL (${method} ${url.split('?')[0]})`,
      code: 'not_found',
    })
  })

  it.each([
    ['PATCH', '/api/channel', 'GET, HEAD, POST, PUT'],
    ['PATCH', '/api/channel/', 'GET, HEAD, POST, PUT'],
    ['POST', '/api/channel/12', 'DELETE, GET, HEAD'],
    ['OPTIONS', '/api/status', 'GET, HEAD'],
    ['DELETE', '/api/openapi.json', 'GET, HEAD'],
    ['PUT', '/api/payment/stripe/webhook', 'POST'],
  ] as const)('returns 405 with the allowed methods for %s %s', async (method, url, allow) => {
    const headers = { 'accept-language': 'en', 'content-type': 'text/plain' }
    const result = await site.app.inject({ method, url, headers, payload: 'a=b' })

    expect(result.statusCode).toBe(405)
    expect(result.headers.allow).toBe(allow)
    expect(result.json()).toEqual({
      success: false,
      message: `${url} does not accept ${method}. Use one of: ${allow}`,
      code: 'method_not_allowed',
    })
  })

  it('accepts only digits for an id', async () => {
    expect((await site.app.inject({ method: 'DELETE', url: '/api/channel/abc' })).statusCode).toBe(404)
    expect((await site.app.inject({ method: 'DELETE', url: '/api/channel/12' })).statusCode).toBe(401)
  })

  it('responds in the preferred language, Chinese by default', async () => {
    const say = async (language?: string) => {
      const { envelope } = await apiClient(site.url).send(api.getSelf, {
        headers: language ? { 'accept-language': language } : {},
      })
      return envelope.message
    }

    expect(await say('en-GB,en;q=0.9')).toBe('You are not logged in and gave no access token.')
    expect(await say('zh-CN')).toBe('未登录且未提供访问令牌')
    expect(await say()).toBe('未登录且未提供访问令牌')
  })

  it('rejects bodies that are not JSON, too large or of another type', async () => {
    const post = (payload: string, type = 'application/json') =>
      site.app.inject({ method: 'POST', url: '/api/user/login', payload, headers: { 'content-type': type } })

    expect((await post('{"username":')).json()).toMatchObject({ success: false, code: 'invalid_json' })
    expect((await post(JSON.stringify({ username: 'x'.repeat(1024 * 1024) }))).json()).toMatchObject({
      code: 'body_too_large',
    })
    expect((await post('a=b', 'text/plain')).json()).toMatchObject({ code: 'unsupported_media_type' })
    expect((await post('{"username": 5}')).json()).toMatchObject({
      code: 'invalid_input',
      message: '输入不合法：username',
    })
  })

  it.each([
    ['nested deeply', `{"name":${'['.repeat(500_000)}`],
    ['full of empty objects', `{"name":[${'{},'.repeat(50_000)}{}]}`],
    ['full of members', `{${'"a":1,'.repeat(30_000)}"b":2}`],
  ])('rejects a body that is %s without parsing it', async (_, payload) => {
    const { userId } = await site.signedIn('user')
    const hash = site.deps.vault.keyedHash('access-token', `token of ${userId}`)
    await site.db.insertInto('access_token').values({ user_id: userId!, hash, last_four: 'oken' }).execute()
    const authorization = `Bearer token of ${userId}`
    const headers = { 'content-type': 'application/json', authorization, 'tidegate-user': String(userId) }
    const response = await site.app.inject({ method: 'POST', url: '/api/token/', payload, headers })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ success: false, code: 'body_too_complex' })
  })

  it('authenticates before parsing a body, and limits anonymous bodies', async () => {
    const post = (url: string, payload: string) =>
      site.app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })

    expect((await post('/api/token/', '{"name":')).json()).toMatchObject({ code: 'not_logged_in' })
    const large = JSON.stringify({ username: 'x'.repeat(64 * 1024) })
    expect((await post('/api/user/login', large)).json()).toMatchObject({ code: 'body_too_large' })
  })

  it('hides unexpected errors and logs them with the request id', async () => {
    const client = await site.signedIn('root')
    await site.db.schema.alterTable('channel').renameTo('channel_away').execute()

    const { response, envelope } = await client.send(api.listChannels)
    await site.db.schema.alterTable('channel_away').renameTo('channel').execute()

    expect(response.status).toBe(500)
    expect(envelope).toMatchObject({ success: false, code: 'internal_error' })
    expect(JSON.stringify(envelope)).not.toContain('channel')
    expect(site.problems.at(-1)).toMatchObject({ requestId: expect.any(String), path: '/api/channel' })
  })

  it('returns 304 for an unchanged status', async () => {
    const first = await site.app.inject('/api/status')
    const again = await site.app.inject({
      url: '/api/status',
      headers: { 'if-none-match': String(first.headers.etag) },
    })

    expect(first.json()).toMatchObject({ success: true })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  it('serves an OpenAPI document', async () => {
    const document = (await site.app.inject('/api/openapi.json')).json()

    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/user/login')
  })
})

async function expectError(
  client: ReturnType<typeof apiClient>,
  status: number,
  code: string,
  headers: Record<string, string> = {},
) {
  const { response, envelope } = await client.send(api.getSelf, { headers })
  expect(envelope).toMatchObject({ success: false, code })
  expect(response.status).toBe(status)
}
