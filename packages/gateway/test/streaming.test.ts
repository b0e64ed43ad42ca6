import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fakeUpstream, type FakeUpstream, type Framing, type Script } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestResponse, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url })], ...options })
}
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

const chat = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'good morning' }] }
const counted = { ...chat, stream_options: { include_usage: true } }
const contentOf = ({ data }: TestResponse) =>
  data.map((text) => (text === '[DONE]' ? '' : (JSON.parse(text).choices?.[0]?.delta.content ?? ''))).join('')
const errorOf = ({ data }: TestResponse) => JSON.parse(data.at(-1)!).error

describe('a stream', () => {
  it('arrives as the provider sent it, with the usage that the client requested', async () => {
    upstream.next({ text: 'Hi 潮 there', usage: { prompt_tokens: 10, completion_tokens: 4 } })
    await start()

    const response = await gateway.chat(counted)

    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-accel-buffering': 'no',
      'x-request-id': 'req-1',
    })
    expect(contentOf(response)).toBe('Hi 潮 there')
    expect(JSON.parse(response.data.at(-2)!)).toMatchObject({ choices: [], usage: { prompt_tokens: 10 } })
    expect(response.data.at(-1)).toBe('[DONE]')
    expect(upstream.requests[0]!.body).toEqual(counted)
    const [settlement] = gateway.credit.settled
    expect(settlement!.usage).toMatchObject({ input: 10, output: 4, estimated: false })
    expect(settlement!.receipt.quota).toBe(Math.round((10 + 4 * 4) * 1.25))
    expect(settlement!.log).toMatchObject({ isStream: true })
    expect(settlement!.log.other.frt).toBeGreaterThanOrEqual(0)
  })

  it('is metered by usage that the client did not request and does not see', async () => {
    upstream.next({ text: 'Hi', usage: { prompt_tokens: 10, completion_tokens: 4 } })
    await start()

    const response = await gateway.chat(chat)

    expect(upstream.requests[0]!.body).toEqual({ ...chat, stream_options: { include_usage: true } })
    expect(response.text).not.toContain('prompt_tokens')
    expect(response.data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.settled[0]!.usage).toMatchObject({ input: 10, output: 4 })
  })

  it('does not request usage from providers that may not support it', async () => {
    await start({ channels: [aChannel({ type: 8, baseUrl: `${upstream.url}/v1/chat/completions` })] })

    const response = await gateway.chat(counted)

    expect(upstream.requests[0]!.body).toEqual(chat)
    expect(JSON.parse(response.data.at(-2)!).usage.total_tokens).toBeGreaterThan(0)
    expect(gateway.credit.settled[0]!.usage.estimated).toBe(true)
  })

  const usages: [string, Script['usage'], boolean][] = [
    ['with the finish', 'with-finish', false],
    ['as running totals', 'running', false],
    ['never', 'missing', true],
  ]
  it.each(usages)('is billed when the usage comes %s', async (_when, usage, estimated) => {
    upstream.next({ text: 'one two three.', usage })
    await start()

    const response = await gateway.chat(counted)

    expect(contentOf(response)).toBe('one two three.')
    const [settlement] = gateway.credit.settled
    expect(settlement!.usage).toMatchObject({ estimated, output: 4 })
    expect(JSON.parse(response.data.at(-2)!).usage.completion_tokens).toBe(4)
  })

  const framings: [string, Framing, Script][] = [
    ['CRLF', { lineEnd: '\r\n' }, {}],
    ['CR', { lineEnd: '\r' }, {}],
    ['comments and a byte order mark', { comments: true, byteOrderMark: true }, {}],
    ['several lines per event', { multiLine: true }, {}],
    ['no space', { space: false }, {}],
    ['no end mark', { done: false }, {}],
    ['no blank line at the end', { finalNewline: false }, {}],
    ['writes of three bytes', {}, { writeSizes: [3] }],
    ['writes of one byte and CRLF', { lineEnd: '\r\n' }, { writeSizes: [1] }],
  ]
  it.each(framings)('survives unusual framing: %s', async (_name, framing, script) => {
    upstream.next({ text: '潮汐 🌊 gate', deltaLength: 3, framing, ...script })
    await start()

    const response = await gateway.chat(chat)

    const events = readEvents(response.text)
    expect(events.at(-1)).toBe('[DONE]')
    expect(
      events
        .slice(0, -1)
        .map((data) => JSON.parse(data).choices[0]?.delta.content ?? '')
        .join(''),
    ).toBe('潮汐 🌊 gate')
    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('is a complete response if it has tool calls only', async () => {
    upstream.next({ toolCalls: [{ id: 't', name: 'tide', arguments: '{"at":1}' }], usage: 'missing' })
    await start()

    const response = await gateway.chat(chat)

    expect(response.data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.settled[0]!.usage.output).toBeGreaterThan(7)
  })

  it('is settled before its end mark is sent', async () => {
    await start()
    let book!: () => void
    const booked = new Promise<void>((resolve) => {
      book = resolve
    })
    gateway.credit.beforeSettle = () => booked
    const { response } = await gateway.open(chat)
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))

    await expect.poll(() => text).toContain('"finish_reason":"stop"')
    expect(text).not.toContain('[DONE]')
    book()
    await once(response, 'end')

    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('ends with an error instead of its end mark if it cannot be billed', async () => {
    await start()
    gateway.credit.beforeSettle = () => Promise.reject(new Error('the disk is full'))

    const response = await gateway.chat(chat)

    expect(errorOf(response).code).toBe('settlement_unavailable')
    expect(response.text).not.toContain('[DONE]')
    gateway.credit.entries.length = 0 // the ledger decides whether it was settled
  })

  it('sends pings while the provider is silent', async () => {
    upstream.next({ stallAfterEvents: 1 })
    await start({
      settings: {
        RetryTimes: 0,
        'general_setting.ping_interval_enabled': true,
        'general_setting.ping_interval_seconds': 0.02,
      },
      deadlines: { firstTokenMs: 500 },
    })

    const response = await gateway.chat(chat)

    expect(response.text).toMatch(/^: PING\n\n/)
    expect(errorOf(response).code).toBe('upstream_timeout')
    expect(gateway.credit.states()).toEqual(['released'])
  })
})

describe('a stream that breaks after its first content', () => {
  const endings: [string, Script, string][] = [
    ['is cut', { cut: { afterEvents: 3, partialBytes: 5 } }, 'upstream_failed'],
    ['stops sending', { stallAfterEvents: 3 }, 'upstream_timeout'],
    ['ends without a finish', { errorEvent: { afterEvents: 3, data: { choices: [] } } }, 'stream_interrupted'],
    [
      'reports an error',
      { errorEvent: { afterEvents: 3, data: { error: { message: 'overloaded', code: 'busy' } } } },
      'busy',
    ],
  ]
  it.each(endings)(
    'because it %s is not retried, ends with an error event, and is billed for the received part',
    async (_name, script, code) => {
      upstream.next({ text: 'one two three four', ...script })
      await start({ settings: { RetryTimes: 5 }, deadlines: { idleMs: 60 } })

      const response = await gateway.chat(chat)

      expect(response.status).toBe(200)
      expect(contentOf({ ...response, data: response.data.slice(0, -1) })).toMatch(/^one two/)
      expect(gateway.credit.settled[0]!.log.other).toMatchObject({ stream_interrupted: true })
      expect(errorOf(response)).toMatchObject({ code, message: expect.stringMatching(/ \(request id: req-1\)$/) })
      expect(response.text).not.toContain('data: [DONE]\n')
      expect(upstream.requests).toHaveLength(1)
      const [settlement] = gateway.credit.settled
      expect(settlement!.usage).toMatchObject({ estimated: true, output: 2 })
    },
  )
})

describe('a client that disconnects', () => {
  it('is billed for the prompt before the first content, and aborts the provider at once without reading on', async () => {
    upstream.next({ stallAfterEvents: 1 })
    await start({
      settings: {
        'general_setting.ping_interval_enabled': true,
        'general_setting.ping_interval_seconds': 0.02,
        'billing.disconnect_read_seconds': 0,
        RetryTimes: 3,
      },
    })
    const opened = await gateway.open(chat)
    await upstream.received(1)

    opened.disconnect()

    await upstream.aborted(1)
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    expect(gateway.credit.settled[0]!.usage.output).toBe(0)
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    expect(upstream.requests).toHaveLength(1)
  })

  it('midway aborts the provider at once and is billed for what was produced', async () => {
    upstream.next({ textLength: 100_000, betweenEventsMs: 5 })
    await start()
    const opened = await gateway.open(chat)
    await once(opened.response, 'data')

    opened.disconnect()

    const request = await upstream.aborted(1)
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    const { usage } = gateway.credit.settled[0]!
    expect(usage.estimated).toBe(true)
    expect(usage.output).toBeGreaterThan(0)
    expect(usage.output).toBeLessThanOrEqual(request.sent.tokens + 2)
    expect(gateway.events.at(-1)).toMatchObject({ kind: 'request', outcome: 'client-gone' })
  })

  it('aborts the provider and is not billed before a whole response', async () => {
    upstream.next({ hang: true })
    await start({ settings: { RetryTimes: 0 } })
    const opened = gateway.open({ ...chat, stream: false }).catch(() => undefined)
    await upstream.received(1)

    await gateway.close()

    await upstream.aborted(1)
    await expect.poll(() => gateway.credit.states()).toEqual(['released'])
    await opened
  })
})

describe('a client that reads slowly', () => {
  it('slows the provider down instead of filling memory', async () => {
    const total = 128 * 1024 * 1024
    const flood = await startFlood(total)
    await start({ channels: [aChannel({ baseUrl: flood.url })] })
    const { response, disconnect } = await gateway.open(chat)
    const memoryBefore = process.memoryUsage()
    response.pause()

    let before = -1
    await expect
      .poll(
        () => {
          const standsStill = flood.sent() > 0 && flood.sent() === before
          before = flood.sent()
          return standsStill
        },
        { interval: 150, timeout: 30_000 },
      )
      .toBe(true)

    expect(flood.sent()).toBeLessThan(32 * 1024 * 1024) // what socket buffers hold
    const held = process.memoryUsage().arrayBuffers - memoryBefore.arrayBuffers
    expect(held).toBeLessThan(32 * 1024 * 1024)
    disconnect()
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
    flood.close()
  })
})

describe('stopping', () => {
  it('waits for open requests, and ends slow ones with an error, billed', async () => {
    upstream.next({ text: 'one two three four', stallAfterEvents: 3 })
    await start()
    const { response } = await gateway.open(chat)
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    await expect.poll(() => text).toContain('two')

    const drained = gateway.gateway.drain(50)
    await once(response, 'end')
    await drained

    expect(text).toContain('"code":"service_unavailable"')
    expect(gateway.gateway.openRequests()).toBe(0)
    expect(gateway.credit.states()).toEqual(['settled'])
    await upstream.aborted(1)
  })
})

/** A provider that writes as fast as it is read. */
async function startFlood(total: number) {
  const text = 'x'.repeat(1000)
  const chunk = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`.repeat(60))
  let sent = 0
  const pour = (response: ServerResponse) => {
    while (sent < total && !response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) return void response.once('drain', () => pour(response))
    }
    return response.end('data: [DONE]\n\n')
  }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    pour(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent, close }
}

/** The data of events, for any line ending. */
function readEvents(text: string): string[] {
  const events: string[] = []
  let data: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    else if (line === '' && data.length > 0) events.push(data.splice(0).join('\n'))
    else if (line !== '' && !/^(:|event|id)/.test(line)) throw new Error(`not an event stream: ${line}`)
  }
  data = []
  return events
}
