import { once } from 'node:events'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream, type RunningServer, startServer } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { sharedSite, type SiteUser } from './shared-site.ts'

const MODEL = 'revoked-model'
const VOICE_MODEL = 'gpt-4o-realtime-preview'
const SETTLED = { timeout: 30_000, interval: 50 }
const PASSWORD = { original_password: 'spring-tide-42', password: 'ebb-and-flow-7' }

const site = sharedSite()
let upstream: FakeUpstream
let voice: WebSocketServer
let otherNode: RunningServer
beforeAll(async () => {
  upstream = await fakeUpstream()
  voice = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  voice.on('connection', (socket) => socket.send(JSON.stringify({ type: 'session.created', session: {} })))
  await once(voice, 'listening')
  await addChannel(site.admin, upstream, { models: MODEL })
  const { port } = voice.address() as { port: number }
  await addChannel(site.admin, { url: `http://127.0.0.1:${port}` }, { models: VOICE_MODEL })
  for (const option of ['ModelRatio', 'CompletionRatio'] as const) {
    await site.setOption(option, { [MODEL]: 1, [VOICE_MODEL]: 1 })
  }
  otherNode = await startServer({ env: { ...site.env }, args: ['--role', 'gateway'] })
})
afterEach(() => upstream.reset())
afterAll(async () => {
  await otherNode?.stop()
  voice?.close()
  await upstream?.close()
})

/** A stream that has started and does not end by itself. */
async function openStream(url: string, path: string, headers: Record<string, string>) {
  upstream.next({ textLength: 100_000, betweenEventsMs: 5 })
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: MODEL,
      stream: true,
      max_tokens: 1_000_000,
      messages: [{ role: 'user', content: 'When does the tide turn?' }],
    }),
  })
  const reader = response.body!.getReader()
  let text = ''
  const read = async () => {
    const { value, done } = await reader.read()
    text += Buffer.from(value ?? []).toString()
    return !done
  }
  while (!text.includes('"content":"')) if (!(await read())) throw new Error(`no content: ${text}`)
  return {
    status: response.status,
    async untilEnd() {
      while (await read());
      const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as { error?: object })
      return { last: events.at(-1) }
    },
  }
}

const openWithKey = (url: string, { key }: SiteUser) =>
  openStream(url, '/v1/chat/completions', { authorization: `Bearer ${key}` })
const openWithSession = (url: string, { cookie, id }: SiteUser) =>
  openStream(url, '/pg/chat/completions', { cookie, 'tidegate-user': String(id) })

async function openSocket(url: string, { key }: SiteUser) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=${VOICE_MODEL}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const events: { type: string; error?: object }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close')
  await expect.poll(() => events.length).toBe(1)
  return {
    async untilEnd() {
      await closed
      return { last: events.at(-1) }
    },
  }
}

const manage = (action: string) => (user: SiteUser) =>
  site.admin.call(api.manageUser, { body: { id: user.id, action } })
const tokenOf = async ({ client }: SiteUser) => (await client.call(api.listTokens))[0]!

const REVOCATIONS: [string, (user: SiteUser) => Promise<unknown>, string][] = [
  ['the user is banned', manage('disable'), 'api_key_owner_disabled'],
  ['the role of the user changes', manage('promote'), 'access_changed'],
  ['the user is deregistered', manage('delete'), 'api_key_invalid'],
  [
    'the token is deleted',
    async (user) => user.client.call(api.deleteToken, { path: { id: (await tokenOf(user)).id } }),
    'api_key_invalid',
  ],
  [
    'the token is disabled',
    async (user) =>
      user.client.call(api.updateToken, {
        query: { status_only: 'true' },
        body: { id: (await tokenOf(user)).id, status: 2 },
      }),
    'api_key_disabled',
  ],
]

/** OpenAI's error codes. */
const WIRE_CODES: Record<string, string> = { api_key_invalid: 'invalid_api_key', api_key_disabled: 'invalid_api_key' }

describe.each([
  ['the node of the change', () => site.url],
  ['another node', () => otherNode.url],
])('access revoked, seen by %s', (_, url) => {
  it.each(REVOCATIONS)('a stream is cut and billed when %s', async (_name, revoke, code) => {
    const user = await site.addUser()
    const stream = await openWithKey(url(), user)

    await revoke(user)

    const { last } = await stream.untilEnd()
    expect(last).toMatchObject({ error: { code: WIRE_CODES[code] ?? code } })
    await upstream.aborted(1)
    const readRows = () => rowsOf(user)
    await expect.poll(readRows, SETTLED).toHaveLength(1)
    const [row] = await readRows()
    expect(row!.completion_tokens).toBeGreaterThan(0)
    expect(row!.quota).toBe(row!.prompt_tokens + row!.completion_tokens)
  })

  it.each(REVOCATIONS)('a realtime session is cut when %s', async (_name, revoke, code) => {
    const user = await site.addUser()
    const socket = await openSocket(url(), user)

    await revoke(user)

    expect((await socket.untilEnd()).last).toMatchObject({ type: 'error', error: { code } })
  })

  it.each([
    ['a new password', (user: SiteUser) => user.client.call(api.updateSelf, { body: PASSWORD })],
    ['signing out everywhere', (user: SiteUser) => user.client.call(api.endAllSessions)],
  ])('%s cuts streams of the playground and none of API tokens', async (_name, change) => {
    const user = await site.addUser()
    const played = await openWithSession(url(), { ...user, cookie: await anotherSession(user) })
    const called = await openWithKey(url(), user)

    await change(user)

    expect((await played.untilEnd()).last).toMatchObject({ error: { code: 'not_logged_in' } })
    expect(upstream.requests).toHaveLength(2)
    await manage('disable')(user) // the other one was open until now
    expect((await called.untilEnd()).last).toMatchObject({ error: { code: 'api_key_owner_disabled' } })
  })
})

async function anotherSession({ username }: SiteUser): Promise<string> {
  const response = await fetch(`${site.url}${api.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD.original_password }),
  })
  return response.headers.getSetCookie()[0]!.split(';')[0]!
}

async function rowsOf({ id }: SiteUser): Promise<api.UsageLog[]> {
  const query = { p: 1, page_size: 100, type: api.LOG_TYPE.consumption }
  const { items } = await site.admin.call(api.listLogs, { query })
  return items.filter(({ user_id }) => user_id === id)
}
