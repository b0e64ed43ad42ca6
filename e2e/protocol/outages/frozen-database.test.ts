import { api } from '@tidegate/contract'
import {
  addToken,
  apiClient,
  fakeUpstream,
  SUPER_ADMIN,
  tcpProxy,
  type ApiClient,
  type FakeUpstream,
  type RunningServer,
  type TcpProxy,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLeases, usageRows, verifyBooks } from '../../scenarios/books.ts'
import { seedSite, MODEL, openSite, type Site } from '../../scenarios/site.ts'

/** A hanging request fails here instead of at the end of the whole test. */
const GUARD_MS = 30_000
const PASSWORD = 'spring-tide-42'

/** The tests run in this order on one site. */
let site: Site
let proxy: TcpProxy
let env: Record<string, string>
let server: RunningServer
let upstream: FakeUpstream
let admin: ApiClient

beforeAll(async () => {
  site = await openSite()
  const url = new URL(site.env.DATABASE_URL!)
  proxy = await tcpProxy(Number(url.port || 5432))
  url.port = String(proxy.port)
  env = { DATABASE_URL: url.href }
  upstream = await fakeUpstream()
  server = await site.start({ env })
  admin = (await seedSite(server.url, upstream)).client
})
afterAll(async () => {
  proxy.resume()
  await server.stop()
  await proxy.close()
  await upstream.close()
  await site.close()
})

it('serves requests covered by leases and rejects everything else with 503 while the database is frozen', async () => {
  const holder = await addUser('holder')
  const other = await addUser('other')
  const unknown = await addUser('unknown')
  const session = await signIn()
  expect((await chat(holder)).status).toBe(200)
  expect((await send('/v1/models', { key: other })).status).toBe(200) // known, but without credit on this node
  proxy.stall()

  const served = await Promise.all(Array.from({ length: 4 }, () => chat(holder)))
  const responses = await Promise.all([
    chat(other),
    send('/v1/messages', { key: other, body: { ...PROMPT, max_tokens: 10 } }),
    chat(unknown),
    send('/v1/videos', { key: other, body: { model: 'sora-2', prompt: 'the sea' } }),
    send('/v1/videos/video_1', { key: other }),
    send('/v1/dashboard/billing/usage', { key: other }),
    send('/pg/chat/completions', { body: { ...PROMPT, group: 'default' }, headers: session }),
    send('/api/user/self', { headers: session }),
    send('/api/log/', { headers: session }),
  ])

  expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(responses.map(({ status, retryAfter }) => [status, retryAfter])).toEqual(responses.map(() => [503, '5']))
  expect(responses[0].body).toMatchObject({ error: { code: 'settlement_unavailable' } })
  expect(responses[1].body).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
  expect(responses[2].body).toMatchObject({ error: { code: 'service_unavailable' } })
  expect(responses[7].body).toMatchObject({ success: false, code: 'service_unavailable' })
  expect(upstream.requests).toHaveLength(5)

  proxy.resume()
  await expect.poll(() => usageRows(site.database.db)).toHaveLength(5)
  await expect.poll(() => openLeases(site.database.db), { timeout: 60_000 }).toBe(0)
  expect((await chat(other)).status).toBe(200)
})

it('bills requests of a gateway that was killed while the database was frozen', async () => {
  const killed = await addUser('killed')
  expect((await chat(killed)).status).toBe(200)
  proxy.stall()
  expect((await chat(killed)).status).toBe(200)
  await server.kill()
  proxy.cutAll()
  proxy.resume()

  server = await site.start({ env })
  await server.stop()
  expect(await usageRows(site.database.db)).toHaveLength(8)
  expect(await openLeases(site.database.db)).toBe(0)
  expect(await verifyBooks(site.env, site.dataDirectory)).toBe('')
})

const PROMPT = { model: MODEL, messages: [{ role: 'user', content: 'tell me about the sea' }], max_tokens: 100 }

const chat = (key: string) => send('/v1/chat/completions', { key, body: PROMPT })

/** A user with a balance, and the key of an unlimited token. */
async function addUser(username: string): Promise<string> {
  await admin.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(server.url)
  const { id } = await client.login(username, PASSWORD)
  await admin.call(api.updateUser, {
    body: { id, username, display_name: username, group: 'default', quota: 1_000_000 },
  })
  return (await addToken(client)).secret
}

/** The headers that a browser sends for the super admin. */
async function signIn(): Promise<Record<string, string>> {
  const response = await admin.open(api.login, { body: SUPER_ADMIN })
  const cookie = response.headers.getSetCookie().map((text) => text.split(';')[0])
  return { cookie: cookie.join('; '), 'tidegate-user': String(admin.userId) }
}

interface SendOptions {
  key?: string
  body?: object
  headers?: Record<string, string>
}

async function send(path: string, { key, body, headers = {} }: SendOptions) {
  const response = await fetch(`${server.url}${path}`, {
    signal: AbortSignal.timeout(GUARD_MS),
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as unknown,
  }
}
