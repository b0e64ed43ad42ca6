import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@tidegate/contract'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { CallerRecord, UserRecord } from '../src/ports/index.ts'
import { startRealtimeProvider } from './support/realtime-provider.ts'
import { aCaller, aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

const VOICE_MODEL = 'gpt-4o-realtime-preview'
const TOKEN = { tokenHash: 'hash-of-the-token' }
const ENDLESS = { textLength: 20_000, betweenEventsMs: 5 }

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

async function start(options: Partial<Parameters<typeof startGateway>[0]> = {}): Promise<void> {
  const channels = [aChannel({ baseUrl: upstream.url, models: ['gpt-4o', 'gpt-5', 'tts-1'] })]
  gateway = await startGateway({ channels, caller: TOKEN, ...options })
}

const chat = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Why does the tide turn?' }] }
/** Sends a request and waits for the first bytes of its response. */
async function open(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const reader = response.body!.getReader()
  await reader.read()
  return reader
}

async function readRest(reader: Awaited<ReturnType<typeof open>>): Promise<string> {
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return text
    text += Buffer.from(value).toString('utf8')
  }
}

/** A chat that streams, and its text up to its end. */
async function openChat() {
  upstream.next(ENDLESS)
  const { response, disconnect } = await gateway.open(chat)
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(response, 'data')
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  return {
    disconnect,
    async untilEnd() {
      await ended
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}

const lastEvent = (text: string) => JSON.parse([...text.matchAll(/^data: (\{.*)$/gm)].at(-1)![1]!) as object
const settlement = async () => {
  await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  return gateway.credit.settled[0]!
}

const REVOKED: [string, Partial<CallerRecord> | undefined, string][] = [
  ['was deleted', undefined, 'api_key_invalid'],
  ['was disabled', { tokenStatus: 2 }, 'api_key_disabled'],
  ['has expired', { expiredTime: 1 }, 'api_key_expired'],
  ['may not be used from the address any more', { allowIps: '192.0.2.1' }, 'ip_not_allowed'],
  ['belongs to a banned user', { userStatus: 2 }, 'api_key_owner_disabled'],
  ['belongs to a banned user and has no quota left', { userStatus: 2, tokenStatus: 4 }, 'api_key_owner_disabled'],
  ['belongs to a user with another role', { userRole: 10 }, 'access_changed'],
]

/** Their names in OpenAI's protocol. */
const WIRE_CODES: Record<string, string> = {
  api_key_invalid: 'invalid_api_key',
  api_key_disabled: 'invalid_api_key',
  api_key_expired: 'invalid_api_key',
}

describe('a stream whose token', () => {
  it.each(REVOKED)('%s ends with an error, and is billed for what was sent', async (_, caller, code) => {
    await start()
    const stream = await openChat()
    gateway.setCaller(caller && { ...TOKEN, ...caller })

    await gateway.gateway.recheck(TOKEN)

    expect(lastEvent(await stream.untilEnd())).toMatchObject({ error: { code: WIRE_CODES[code] ?? code } })
    await upstream.aborted(1)
    const { usage, log } = await settlement()
    expect(usage.output).toBeGreaterThan(0)
    expect(log.other).toMatchObject({ access_revoked: code })
    expect(log.other).not.toHaveProperty('client_disconnected')
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    expect(gateway.events.find(({ kind }) => kind === 'request')).toMatchObject({ outcome: 'interrupted' })
  })

  it.each<[string, Partial<CallerRecord>]>([
    ['has no quota left', { unlimitedQuota: false, remainQuota: 0 }],
    ['is marked as exhausted', { tokenStatus: 4 }],
    ['has another name', { tokenName: 'desktop' }],
  ])('%s continues', async (_, caller) => {
    await start()
    const stream = await openChat()
    gateway.setCaller({ ...TOKEN, ...caller })

    await gateway.gateway.recheck(TOKEN)
    await gateway.gateway.recheckAll()

    expect(gateway.gateway.openRequests()).toBe(1)
    stream.disconnect()
    expect((await settlement()).log.other).toMatchObject({ client_disconnected: true })
  })
})

it('does not check anything for a change of another user or token', async () => {
  let finds = 0
  await start({ beforeFind: async () => void (finds += 1) })
  const stream = await openChat()

  await gateway.gateway.recheck({ userId: 8 })
  await gateway.gateway.recheck({ tokenHash: 'another' })

  expect(finds).toBe(1)
  stream.disconnect()
  await settlement()
})

it('checks the requests of all tokens for a change of the user', async () => {
  await start()
  const stream = await openChat()
  gateway.setCaller({ ...TOKEN, userStatus: 2 })

  await gateway.gateway.recheck({ userId: 7 })

  expect(lastEvent(await stream.untilEnd())).toMatchObject({ error: { code: 'api_key_owner_disabled' } })
  await settlement()
})

it('continues a request while its token cannot be checked, and ends it at the next check of all', async () => {
  let isAway = false
  await start({
    beforeFind: () => (isAway ? Promise.reject(new ApiError('service_unavailable')) : Promise.resolve()),
  })
  const stream = await openChat()
  gateway.setCaller(undefined)
  isAway = true
  await gateway.gateway.recheck(TOKEN)
  expect(gateway.gateway.openRequests()).toBe(1)

  isAway = false
  await gateway.gateway.recheckAll()

  expect(lastEvent(await stream.untilEnd())).toMatchObject({ error: { code: 'invalid_api_key' } })
  await settlement()
})

it('rejects a request whose token changes during authentication', async () => {
  const change = Promise.withResolvers<void>()
  let finds = 0
  await start({
    async beforeFind() {
      finds += 1
      if (finds > 1) gateway.setCaller(undefined) // read before the change, checked after it
      else await change.promise
    },
  })
  const response = gateway.chat(chat)
  await expect.poll(() => finds).toBe(1)

  await gateway.gateway.recheck(TOKEN)
  change.resolve()

  expect(await response).toMatchObject({ status: 401, code: 'api_key_invalid' })
  expect(upstream.requests).toEqual([])
})

describe('every protocol ends a revoked stream with its own error:', () => {
  const messages = [{ role: 'user', content: 'Why?' }]
  it.each([
    ['/v1/messages', { model: 'gpt-4o', max_tokens: 100_000, stream: true, messages }, /^event: error\ndata: /m],
    ['/v1/responses', { model: 'gpt-4o', stream: true, input: 'Why?' }, /^event: (error|response\.failed)\ndata: /m],
    [
      '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
      { contents: [{ role: 'user', parts: [{ text: 'Why?' }] }] },
      /^\{"error"/m,
    ],
  ])('%s', async (path, body, error) => {
    await start()
    upstream.next(ENDLESS)
    const reader = await open(path, body)
    gateway.setCaller(undefined)

    await gateway.gateway.recheck(TOKEN)

    const text = await readRest(reader)
    expect(text.split(/\r?\n\r?\n/).findLast((frame) => frame !== '')).toMatch(error)
    expect((await settlement()).usage.output).toBeGreaterThan(0)
  })
})

it('rejects a whole response, and bills it as when the client disconnects', async () => {
  await start()
  upstream.next({ text: 'The answer is 42.', headersAfterMs: 200 })
  const response = gateway.chat({ ...chat, stream: false })
  await upstream.received(1)
  gateway.setCaller({ ...TOKEN, userStatus: 2 })

  await gateway.gateway.recheck(TOKEN)

  expect(await response).toMatchObject({ status: 403, json: { error: { code: 'api_key_owner_disabled' } } })
  expect((await settlement()).usage).toMatchObject({ output: 5, estimated: false })
})

it('bills hidden reasoning of a revoked stream', async () => {
  await start()
  upstream.next({ text: 'The answer is 42, as ever.', hiddenReasoning: 60_000, betweenEventsMs: 20 })
  const { response } = await gateway.open({ ...chat, model: 'gpt-5' })
  await once(response, 'data')
  gateway.setCaller(undefined)

  await gateway.gateway.recheck(TOKEN)

  response.resume()
  await once(response, 'end')
  expect((await settlement()).usage).toMatchObject({ reasoning: 60_000, estimated: false })
})

it('cuts speech, so that the client detects it', async () => {
  const provider = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.write('the beginning')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  await start({ channels: [aChannel({ baseUrl: `http://127.0.0.1:${port}`, models: ['tts-1'] })] })
  const reader = await open('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'The tide comes in.' })
  gateway.setCaller(undefined)

  await gateway.gateway.recheck(TOKEN)

  await expect(reader.read()).rejects.toThrow()
  await settlement()
  provider.closeAllConnections()
  provider.close()
})

describe('a stream of the playground', () => {
  const play = () => open('/pg/chat/completions', chat, { authorization: '' })

  it.each<[string, () => Promise<UserRecord>, string]>([
    ['session has ended', () => Promise.reject(new ApiError('not_logged_in')), 'not_logged_in'],
    ['user has another role', () => Promise.resolve(aCaller({ userRole: 10 })), 'access_changed'],
  ])('ends with an error and the end mark when its %s', async (_, identify, code) => {
    let isChanged = false
    await start({ users: { identify: () => (isChanged ? identify() : Promise.resolve(aCaller())) } })
    upstream.next(ENDLESS)
    const reader = await play()
    isChanged = true

    await gateway.gateway.recheck({ userId: 7 })

    const text = await readRest(reader)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(lastEvent(text)).toMatchObject({ error: { code } })
    expect((await settlement()).usage.output).toBeGreaterThan(0)
  })

  it('continues when only an API token of the user ended', async () => {
    await start({ users: { identify: () => Promise.resolve(aCaller()) } })
    upstream.next({ text: 'The tide comes in.', betweenEventsMs: 20 })
    const reader = await play()
    gateway.setCaller(undefined)

    await gateway.gateway.recheck({ userId: 7 })

    expect(await readRest(reader)).toMatch(/data: \[DONE\]\n\n$/)
    expect((await settlement()).log.other).not.toHaveProperty('access_revoked')
  })
})

it('ends a realtime session with an error event, and bills it', async () => {
  const provider = await startRealtimeProvider()
  await start({
    channels: [aChannel({ baseUrl: provider.url, models: [VOICE_MODEL] })],
    settings: { ModelRatio: { [VOICE_MODEL]: 2.5 }, PreConsumedQuota: 500 },
  })
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${VOICE_MODEL}`, ['realtime'], {
    headers: { authorization: `Bearer ${KEY}` },
  })
  const events: { type: string }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  socket.send('{"type":"response.create"}')
  await expect.poll(() => events.some(({ type }) => type === 'response.done')).toBe(true)
  gateway.setCaller({ ...TOKEN, userStatus: 2 })

  await gateway.gateway.recheck({ userId: 7 })

  const [code, reason] = await closed
  expect([code, reason.toString()]).toEqual([1000, 'access revoked'])
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'api_key_owner_disabled' } })
  const { receipt, log } = await settlement()
  expect(receipt.quota).toBeGreaterThan(0)
  expect(log.other).toMatchObject({ ws: true, access_revoked: 'api_key_owner_disabled' })
  provider.close()
})
