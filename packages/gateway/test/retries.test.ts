import { fakeUpstream, type FakeUpstream, type Script } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorLogRow } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

let bad: FakeUpstream
let good: FakeUpstream
let gateway: TestGateway
const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  gateway = await startGateway({
    channels: [
      aChannel({ id: 1, baseUrl: bad.url, priority: 10 }),
      aChannel({ id: 2, baseUrl: good.url, priority: 5 }),
    ],
    settings: { RetryTimes: 1 },
    deadlines: { firstTokenMs: 500, responseMs: 500 },
    ...options,
  })
}
beforeEach(async () => {
  bad = await fakeUpstream()
  good = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await bad.close()
  await good.close()
})

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning' }] }
const failure = (status: number, error: object = { message: 'down' }): Script => ({ status, body: { error } })

describe('another channel takes over', () => {
  const failures: [string, Script][] = [
    ['responds with 500', failure(500)],
    ['responds with 429', failure(429)],
    ['responds with 401', failure(401)],
    ['hangs', { hang: true }],
    ['sends headers and nothing else', { stallAfterEvents: 0 }],
    ['stalls after the role', { stallAfterEvents: 1 }],
    ['is cut after the role', { cut: { afterEvents: 1 } }],
    ['reports an error in its first event', { errorEvent: { afterEvents: 0, data: { error: { message: 'busy' } } } }],
    ['reports an error after the role', { errorEvent: { afterEvents: 1, data: { error: { message: 'busy' } } } }],
    ['returns an error with status 200', { body: { error: { message: 'no' } } }],
    ['responds with 504', failure(504)],
    [
      'ends without content and finish reason',
      { body: 'data: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } },
    ],
    ['responds with an HTML page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ]
  it.each(failures)('falls back when a streaming channel %s', async (_name, script) => {
    bad.next(script)
    await start()

    const response = await gateway.chat({ ...chat, stream: true })

    expect(response.status).toBe(200)
    expect(response.data.at(-1)).toBe('[DONE]')
    expect(response.data.filter((data) => data.includes('"role"'))).toHaveLength(1)
    expect(gateway.credit.settled).toHaveLength(1)
    expect(gateway.credit.settled[0]!.log).toMatchObject({
      channelId: 2,
      other: { admin_info: { use_channel: ['1', '2'] } },
    })
  })

  const wholeFailures: [string, Script][] = [
    ['responds with 503', failure(503)],
    ['hangs', { hang: true }],
    ['returns an error with status 200', { body: { error: { message: 'no' } } }],
    ['responds with 408', failure(408)],
    ['responds with 524', failure(524)],
    ['has no choices', { body: { choices: [] } }],
    ['responds with an HTML page', { body: '<html>' }],
  ]
  it.each(wholeFailures)('falls back when a channel %s', async (_name, script) => {
    bad.next(script)
    await start()

    const response = await gateway.chat(chat)

    expect(response.json.choices[0].message.content).toBe('You said: good morning')
    expect(gateway.credit.settled[0]!.log.other.admin_info).toMatchObject({
      use_channel: ['1', '2'],
      attempts: [{ channel: 1, reason: expect.any(String) }, { channel: 2 }],
    })
  })

  it('falls back when the first channel cannot be reached', async () => {
    await bad.close()
    await start()

    expect((await gateway.chat(chat)).status).toBe(200)
    bad = await fakeUpstream()
  })

  it('repeats no channel while another is left', async () => {
    const channels = [1, 2, 3, 4].map((id) => aChannel({ id, baseUrl: bad.url, priority: id % 2 }))
    await start({
      channels: [...channels, aChannel({ id: 5, baseUrl: good.url, priority: -9 })],
      settings: { RetryTimes: 4 },
    })
    bad.always(failure(500))

    const response = await gateway.chat(chat)

    expect(response.status).toBe(200)
    const { admin_info } = gateway.credit.settled[0]!.log.other as { admin_info: { use_channel: string[] } }
    expect(new Set(admin_info.use_channel).size).toBe(admin_info.use_channel.length)
  })

  it('repeats the channel when it is the only one', async () => {
    bad.next(failure(500))
    await start({ channels: [aChannel({ baseUrl: bad.url })] })

    const response = await gateway.chat(chat)

    expect([response.status, bad.requests.length]).toEqual([200, 2])
  })
})

describe('no other channel is called', () => {
  it('does not retry after a 400', async () => {
    const status = 400
    bad.next(failure(status))
    await start()

    const response = await gateway.chat(chat)

    expect([response.status, good.requests.length]).toEqual([status, 0])
    expect(gateway.credit.states()).toEqual(['released'])
  })

  it('does not retry when retries are off', async () => {
    bad.next(failure(500))
    await start({ settings: { RetryTimes: 0 } })

    expect((await gateway.chat(chat)).status).toBe(500)
    expect(good.requests).toEqual([])
  })

  it('does not retry for a status that automatic retry does not list', async () => {
    bad.next(failure(503), failure(429))
    await start({ settings: { 'global.auto_retry_enabled': true, 'global.auto_retry_status_codes': ['42x'] } })

    expect((await gateway.chat(chat)).status).toBe(503)
    expect((await gateway.chat(chat)).status).toBe(200)
  })
})

describe('when every attempt failed', () => {
  it("the client gets the last provider's whole error", async () => {
    bad.next(
      failure(400, {
        message: 'bad temperature',
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'x',
        hint: 1,
      }),
    )
    await start()

    const { status, json } = await gateway.chat(chat)

    expect(status).toBe(400)
    expect(json.error).toEqual({
      message: 'bad temperature',
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'x',
      hint: 1,
    })
  })

  it('the client gets the status and the details that the operator configured', async () => {
    bad.always(failure(503, { message: 'secret.example is down' }))
    await start({
      channels: [aChannel({ baseUrl: bad.url, statusCodeMapping: new Map([[503, 500]]) })],
      settings: { 'global.hide_upstream_error_enabled': true },
    })

    const { status, json } = await gateway.chat(chat)

    expect(status).toBe(500)
    expect(json.error.message).toBe('upstream error with status code 503 (request id: req-1)')
  })

  it('the client of a saturated provider gets a neutral message, with a retry time', async () => {
    bad.always({ ...failure(429, { message: 'org-123 hit its limit' }), headers: { 'retry-after': '9' } })
    await start({ channels: [aChannel({ baseUrl: bad.url })], settings: {} })

    const { status, json, headers } = await gateway.chat({ ...chat, stream: true })

    expect([status, headers['retry-after']]).toEqual([429, '9'])
    expect(json.error.message).not.toContain('org-123')
    expect(gateway.credit.states()).toEqual(['released'])
  })

  it('a timeout is a 504, an empty response a 502', async () => {
    bad.next({ hang: true }, { body: { choices: [] } })
    await start({ channels: [aChannel({ baseUrl: bad.url })], settings: { RetryTimes: 0 } })

    const silent = await gateway.chat(chat)
    const empty = await gateway.chat(chat)

    expect([silent.status, silent.json.error.code]).toEqual([504, 'upstream_timeout'])
    expect([empty.status, empty.json.error.code]).toEqual([502, 'empty_response'])
    expect(gateway.events.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { outcome: 'server' },
      { outcome: 'server' },
    ])
  })
})

describe('keys', () => {
  it('are rotated within a channel', async () => {
    await start({ channels: [aChannel({ baseUrl: good.url, keys: ['a', 'b'] })] })

    for (let index = 0; index < 3; index += 1) await gateway.chat(chat)

    expect(good.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', 'Bearer b', 'Bearer a'])
  })
})

describe('a new site with one dead and one healthy channel', () => {
  const REQUESTS = 200
  const AT_ONCE = 20

  it.each([
    ['the dead channel has priority', 10],
    ['both have the same priority', 0],
  ])('serves 200 requests with the default options: %s', async (_name, priority) => {
    let drawn = 0
    gateway = await startGateway({
      random: () => (drawn = (drawn + 0.618) % 1), // evenly distributed, and the same in every run
      channels: [aChannel({ id: 1, baseUrl: 'http://127.0.0.1:9', priority }), aChannel({ id: 2, baseUrl: good.url })],
    })
    let left = REQUESTS
    const statuses: number[] = []
    const work = async () => {
      while (left-- > 0) statuses.push((await gateway.chat(chat)).status)
    }

    await Promise.all(Array.from({ length: AT_ONCE }, work))

    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(statuses).toHaveLength(REQUESTS)
    expect(gateway.credit.settled).toHaveLength(REQUESTS)
    const attempts = gateway.events.filter((event) => event.kind === 'attempt')
    expect(attempts.some(({ channelId, outcome }) => channelId === 1 && outcome !== 'served')).toBe(true)
  })
})

describe('the log rows of failed attempts', () => {
  it('have the steps, the attempts and the routing decision of a failed request', async () => {
    const rows: ErrorLogRow[] = []
    await start({ recordError: (row) => rows.push(row) })
    bad.always(failure(500))
    good.always(failure(503))

    expect((await gateway.chat(chat)).status).toBe(503)

    expect(rows.map(({ channelId, other }) => [channelId, other['not_final']])).toEqual([
      [1, true],
      [2, undefined],
    ])
    expect(rows[1]!.other).toMatchObject({
      timing: { authenticate: expect.any(Number), route: expect.any(Number), credit: expect.any(Number) },
      admin_info: {
        use_channel: ['1', '2'],
        attempts: [
          { channel: 1, status: 500, reason: expect.any(String) },
          { channel: 2, status: 503, milliseconds: expect.any(Number) },
        ],
        decision: { candidates: 2, passedOverCount: 0 },
      },
    })
  })

  it('are not final when another channel serves the request', async () => {
    const rows: ErrorLogRow[] = []
    await start({ recordError: (row) => rows.push(row) })
    bad.always(failure(500))

    expect((await gateway.chat(chat)).status).toBe(200)

    expect(rows).toMatchObject([{ channelId: 1, other: { not_final: true } }])
  })
})
