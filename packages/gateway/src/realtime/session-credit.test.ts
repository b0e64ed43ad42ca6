import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'
import { startRealtimeProvider, type RealtimeProvider } from '../../test/support/realtime-provider.ts'

const MODEL = 'gpt-realtime'
/** Quota for a token: 4 USD for 1,000,000 of text input, 64 USD for as many of audio output. */
const TEXT = 2
const AUDIO_OUTPUT = 32
const CONTEXT = 20_000
/** One character and a space are a token or less. */
const LONG_TEXT = 'a '.repeat(CONTEXT)

let provider: RealtimeProvider
let gateway: TestGateway
beforeEach(async () => {
  provider = await startRealtimeProvider()
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: provider.url, models: [MODEL] })],
    settings: { PreConsumedQuota: 500 },
  })
})
afterEach(async () => {
  await gateway.close()
  provider.close()
})

async function session() {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, ['realtime'], {
    headers: { authorization: `Bearer ${KEY}` },
  })
  const events: { type: string; error?: object }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close')
  closed.catch(() => {}) // the session may be rejected
  await once(socket, 'open')
  const send = (...messages: object[]) => {
    for (const message of messages) socket.send(JSON.stringify(message))
  }
  const has = (type: string) => expect.poll(() => events.filter((event) => event.type === type).length)
  return { socket, events, closed, send, has }
}

const item = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})
const create = (response: object = {}) => ({ type: 'response.create', response })
const messagesOfType = (type: string) =>
  provider.messages.map((text) => JSON.parse(text) as { type: string }).filter((event) => event.type === type)

/** A provider that counts its input and produces as many tokens as it may. */
function countLikeAProvider() {
  provider.usageOf = (before) => {
    const read = before.reduce((sum, text) => sum + (text.includes('item.create') ? Math.ceil(text.length / 4) : 0), 0)
    const { response = {} } = JSON.parse(before.at(-1)!) as { response?: { max_output_tokens?: number } }
    const output = Math.min(response.max_output_tokens ?? 4096, 4096)
    return {
      input_tokens: read,
      output_tokens: output,
      input_token_details: { text_tokens: read, audio_tokens: 0, cached_tokens: 0 },
      output_token_details: { text_tokens: 0, audio_tokens: output },
    }
  }
}

describe('a realtime session', () => {
  it('reserves its next response before the provider receives the request for it', async () => {
    const { send, has, socket } = await session()
    send(item(LONG_TEXT), create())
    await has('response.done').toBe(1)
    socket.close()

    expect(messagesOfType('response.create')).toEqual([create()])
    const [entry] = gateway.credit.entries
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    expect(entry!.amount).toBeGreaterThan((CONTEXT / 4) * TEXT + 4096 * AUDIO_OUTPUT)
  })

  it('sends the output limit that the account covers', async () => {
    const { send, has, socket } = await session()
    gateway.credit.balance = 1_000 * AUDIO_OUTPUT
    send(create())
    await has('response.done').toBe(1)
    send(create({ max_output_tokens: 100 }))
    await has('response.done').toBe(2)
    socket.close()

    expect(messagesOfType('response.create')).toEqual([
      create({ max_output_tokens: 1024 }),
      create({ max_output_tokens: 100 }),
    ])
  })

  it('limits responses to speech by one update of the session', async () => {
    const { send, has, socket } = await session()
    gateway.credit.balance = 1_000 * AUDIO_OUTPUT
    const audio = { type: 'input_audio_buffer.append', audio: Buffer.alloc(4_800).toString('base64') }
    send(audio, audio, audio, create())
    await has('response.done').toBe(1)
    socket.close()

    expect(messagesOfType('session.update')).toEqual([
      { type: 'session.update', session: { type: 'realtime', max_output_tokens: 1024 } },
    ])
  })

  it('ends before the provider reads a conversation that the account cannot pay for', async () => {
    const { send, events, closed } = await session()
    gateway.credit.balance = 10_000
    send(item(LONG_TEXT), create())
    await closed

    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } })
    expect(provider.messages).toEqual([])
  })

  it.each([
    ['states that it has no limit', { max_output_tokens: 'inf' }],
    ['states a higher one', { max_output_tokens: 4096 }],
  ])('reserves for a response that %s although the session has a low limit', async (_, response) => {
    const { send, has, socket } = await session()
    send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 1 } })
    await has('session.updated').toBe(1)
    gateway.credit.balance = 0
    send(create(response))
    await has('response.done').toBe(1)
    socket.close()

    const [sent] = messagesOfType('response.create') as { response?: { max_output_tokens: number } }[]
    const held = gateway.credit.entries[0]!.amount
    expect(sent!.response!.max_output_tokens * AUDIO_OUTPUT).toBeLessThanOrEqual(held)
  })

  it('ignores a low limit that the provider rejects', async () => {
    provider.rejectsUpdates = true
    const { send, has, socket } = await session()
    send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 1, voice: 'unknown' } })
    await has('error').toBe(1)
    send(create())
    await has('response.done').toBe(1)

    expect(gateway.credit.entries[0]!.amount).toBeGreaterThanOrEqual(4096 * AUDIO_OUTPUT)
    socket.close()
  })

  it('is billed for a response whose client disconnects', async () => {
    provider.holdsResponses = true
    countLikeAProvider()
    const { send, has, socket } = await session()
    send(item(LONG_TEXT), create())
    await has('response.audio.delta').toBe(1)
    socket.close()

    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    expect(messagesOfType('response.cancel')).toHaveLength(1)
    expect(gateway.credit.settled[0]!.usage).toMatchObject({ audioOutput: 4096, estimated: false })
    expect(gateway.credit.settled[0]!.usage.input).toBeGreaterThan(CONTEXT / 2)
  })

  it('keeps nothing reserved when the client disconnects while credit is extended', async () => {
    let isRequested = () => {}
    const requested = new Promise<void>((resolve) => (isRequested = resolve))
    let respond = () => {}
    gateway.credit.beforeExtend = () => {
      isRequested()
      return new Promise((resolve) => (respond = resolve))
    }
    const before = gateway.credit.balance
    const { send, socket, closed } = await session()
    send(create())
    await requested
    socket.terminate()
    await closed
    gateway.credit.beforeExtend = () => Promise.resolve()
    respond()

    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    const charged = gateway.credit.settled[0]!.receipt.quota
    expect(gateway.credit.balance).toBe(before - charged)
  })

  it('receives the whole current response when credit runs out, and then ends', async () => {
    provider.holdsResponses = true
    const { send, has, events, closed } = await session()
    send(create({ max_output_tokens: 10 }))
    await has('response.audio.delta').toBe(1)
    gateway.credit.balance = 0
    send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000 * 100).toString('base64') })
    send({ type: 'response.cancel' })
    await closed

    expect(events.map(({ type }) => type).slice(-2)).toEqual(['response.done', 'error'])
  })

  it('does not send messages that are not events', async () => {
    const { socket, has } = await session()
    socket.send('{"type":"response.create","temperature":NaN}')
    socket.send(Buffer.from('{"type":"response.create"}'), { binary: true })
    await has('error').toBe(2)
    socket.close()

    expect(provider.messages).toEqual([])
  })

  it('leaves nothing unpaid when 40 sessions share the balance of a few', async () => {
    countLikeAProvider()
    const balance = 5 * 4096 * AUDIO_OUTPUT
    gateway.credit.balance = balance
    const opened = await Promise.all(Array.from({ length: 40 }, () => session().catch((error: unknown) => error)))
    const sessions = opened.filter((one) => !(one instanceof Error)) as Awaited<ReturnType<typeof session>>[]
    for (const { send } of sessions) send(item('a '.repeat(2_000)), create())
    await Promise.all(
      sessions.map(async ({ events, socket, closed }) => {
        await expect.poll(() => events.some(({ type }) => type === 'response.done' || type === 'error')).toBe(true)
        socket.close()
        await closed
      }),
    )
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)

    const cost = gateway.credit.settled.reduce((sum, { receipt }) => sum + receipt.quota, 0)
    expect(cost).toBeGreaterThan(0)
    expect(balance - gateway.credit.balance).toBe(cost)
    expect(gateway.credit.balance).toBeGreaterThanOrEqual(0)
  })
})
