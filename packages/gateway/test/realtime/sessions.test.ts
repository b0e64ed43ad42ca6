import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { REALTIME_USAGE, startRealtimeProvider, type RealtimeProvider } from '../support/realtime-provider.ts'

const MODEL = 'gpt-4o-realtime-preview'

let provider: RealtimeProvider
let gateway: TestGateway
beforeAll(async () => {
  provider = await startRealtimeProvider()
  const { url: baseUrl } = provider
  gateway = await startGateway({
    channels: [aChannel({ baseUrl, models: [MODEL] }), aChannel({ id: 2, type: 14, models: [MODEL], priority: 5 })],
    settings: { ModelRatio: { [MODEL]: 2.5 }, CompletionRatio: { [MODEL]: 1 }, PreConsumedQuota: 500 },
  })
})
afterAll(async () => {
  provider.close()
  await gateway.close()
})
afterEach(() => {
  provider.usage = REALTIME_USAGE
  provider.messages.length = 0
  gateway.credit.entries.length = 0
  gateway.credit.balance = 1_000_000_000
})

const url = () => `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`

async function session(options: { protocols?: string[]; headers?: Record<string, string> } = {}) {
  const { protocols = ['realtime'], headers = { authorization: `Bearer ${KEY}` } } = options
  const socket = new WebSocket(url(), protocols, { headers })
  const events: { type: string }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  const has = (type: string) => expect.poll(() => events.filter((event) => event.type === type).length)
  return { socket, events, closed, has, send: (event: object) => socket.send(JSON.stringify(event)) }
}

describe('a session', () => {
  it('forwards messages both ways unchanged, and bills the usage of every response', async () => {
    const { send, has, socket, closed } = await session()
    await has('session.created').toBe(1)
    send({ type: 'response.create', note: '潮' })
    send({ type: 'response.create' })
    await has('response.done').toBe(2)
    socket.close(1000)
    await closed

    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    expect(provider.messages).toEqual(['{"type":"response.create","note":"潮"}', '{"type":"response.create"}'])
    const [settled] = gateway.credit.settled
    expect(settled?.usage).toMatchObject({
      input: 12,
      cacheRead: 8,
      audioInput: 40,
      output: 40,
      audioOutput: 60,
      estimated: false,
    })
    expect(settled?.log.other).toMatchObject({ ws: true, audio: true })
    expect(gateway.credit.entries[0]?.checkpoints).toHaveLength(2)
    expect(provider.handshakes.at(-1)).toMatchObject({
      url: `/v1/realtime?model=${MODEL}`,
      headers: { authorization: 'Bearer provider-key', 'openai-beta': 'realtime=v1' },
    })
  })

  it.each([
    ['nested deeply', `{"type":"x","y":${'['.repeat(1_000_000)}`],
    ['full of members', `{"type":"x","y":{${'"a":1,'.repeat(50_000)}"b":2}}`],
  ])('rejects a message that is %s, and continues', async (_, message) => {
    const { socket, send, has } = await session()
    await has('session.created').toBe(1)
    socket.send(message)
    await has('error').toBe(1)
    send({ type: 'response.create' })
    await has('response.done').toBe(1)
    socket.close()

    expect(provider.messages).toEqual(['{"type":"response.create"}'])
  })

  it('sends a message with a repeated name as it was parsed here', async () => {
    const { socket, has } = await session()
    await has('session.created').toBe(1)
    socket.send('{"type":"response.create","type":"note","x":{"y":1,"y":2}}')
    socket.send('{"type":"response.create"}')
    await has('response.done').toBe(1)
    socket.close()

    expect(provider.messages).toEqual(['{"type":"note","x":{"y":2}}', '{"type":"response.create"}'])
  })

  it('is counted here where the provider reports nothing: a second of input and of output', async () => {
    provider.usage = undefined
    const { send, has, socket } = await session()
    send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') })
    send({ type: 'response.create' })
    await has('response.done').toBe(1)
    socket.close()

    await expect.poll(() => gateway.credit.settled.length).toBe(1)
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ audioInput: 28, audioOutput: 14, estimated: true })
  })

  it('accepts the API token among the protocols, as a browser sends it', async () => {
    const { socket, has } = await session({ protocols: ['realtime', `openai-insecure-api-key.${KEY}`], headers: {} })
    await has('session.created').toBe(1)

    expect(socket.protocol).toBe('realtime')
    socket.close()
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  })

  it('ends with an error when the reservation cannot be extended, and is billed for what was sent', async () => {
    const { send, has, events, closed } = await session()
    gateway.credit.balance = 0
    // Some responses are covered by what was reserved at the start.
    for (let count = 0; count < 50; count += 1) send({ type: 'response.create' })
    await closed

    await has('error').toBe(1)
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } })
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  })

  it('is billed by our own count when the provider reports implausible usage', async () => {
    provider.usage = { input_tokens: 1e300, output_tokens: 1 }
    const { send, has } = await session()
    send({ type: 'response.create' })
    await has('response.done').toBe(1)
    send({ type: 'hang-up' })

    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    expect(gateway.credit.settled[0]!.usage).toMatchObject({ estimated: true })
    expect(gateway.events).toContainEqual(expect.objectContaining({ kind: 'implausible-usage' }))
  })

  it("closes with the provider's reason when the provider closes", async () => {
    const { send, closed } = await session()
    send({ type: 'hang-up' })

    const [code, reason] = await closed
    expect([code, reason.toString()]).toEqual([4001, 'enough'])
  })

  it('ends when the process stops', async () => {
    const { closed, has } = await session()
    await has('session.created').toBe(1)

    const drained = gateway.gateway.drain(0)

    expect((await closed)[0]).toBe(1001)
    await drained
    expect(gateway.gateway.openRequests()).toBe(0)
  })

  it.each([
    [401, { authorization: 'Bearer sk-wrong' }, url],
    [400, { authorization: `Bearer ${KEY}` }, () => `${gateway.url.replace('http', 'ws')}/v1/realtime`],
    [404, { authorization: `Bearer ${KEY}` }, () => url().replace(MODEL, 'another')],
    [501, { authorization: `Bearer ${KEY}` }, () => `${gateway.url.replace('http', 'ws')}/v1/embeddings`],
  ])('is rejected with %i before it begins', async (status, headers, address) => {
    const socket = new WebSocket(address(), ['realtime'], { headers })
    socket.on('error', () => {})
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]

    expect(response.statusCode).toBe(status)
    socket.terminate()
  })
})
