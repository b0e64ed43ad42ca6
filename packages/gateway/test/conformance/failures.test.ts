import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayEvent } from '../../src/ports/index.ts'
import { KEY, type TestGateway } from '../support/gateway.ts'
import {
  CASES,
  CHAT_CASES,
  chatRequest,
  gatewayTo,
  MODEL,
  OTHER_KEY,
  type ChatCase,
  type ProviderCase,
} from './case.ts'
import { SPARE_TEXT, startProvider, type FakeProvider } from './provider.ts'
import type { Reply } from './wire-formats.ts'

let provider: FakeProvider
let gateway: TestGateway
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
afterEach(async () => {
  await gateway.close()
  provider.reset()
})

type Attempt = Extract<GatewayEvent, { kind: 'attempt' }>

interface RequestOptions {
  stream?: boolean
  times?: number
  /** The caller whose turn it is. */
  keys?: readonly string[]
}

/** The result of each request: the attempts, their failure classes, and the client's responses. */
async function sendRequests({ chat }: ChatCase, { stream = false, times = 1, keys = [KEY] }: RequestOptions = {}) {
  const responses = []
  for (let index = 0; index < times; index += 1) {
    const { path, body } = chatRequest(chat, { stream, max_tokens: 50 })
    responses.push(
      await gateway.send({
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${keys[index % keys.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  }
  const attempts = gateway.events.filter((event): event is Attempt => event.kind === 'attempt')
  return {
    responses,
    outcomes: attempts.filter(({ channelId }) => channelId === 1).map(({ outcome }) => outcome),
  }
}

async function failing(providerCase: ChatCase, response: Reply) {
  provider.respond = () => response
  gateway = await gatewayTo(provider, providerCase, providerCase.chat)
}

/** Errors are the same in all protocols of a provider, except for errors inside a response. */
const FIRST = CHAT_CASES.filter(({ chat, row }) => chat === row.chats[0])

describe.each(FIRST)('$name', (providerCase) => {
  const { row } = providerCase

  it('is not called after it rejected the key, and another channel serves the request', async () => {
    await failing(providerCase, row.failing.key)

    const { responses, outcomes } = await sendRequests(providerCase, { times: 2 })

    // A 403 of one caller alone does not open the circuit.
    expect(outcomes).toEqual(row.failing.key.status === 403 ? ['auth', 'auth'] : ['auth'])
    expect(provider.spareRequests).toBe(2)
    expect(responses.map(({ json }) => json.choices[0].message.content)).toEqual([SPARE_TEXT, SPARE_TEXT])
  })

  it('cools down when two callers are rate limited', async () => {
    await failing(providerCase, row.failing.rate)

    const { responses, outcomes } = await sendRequests(providerCase, { times: 3, keys: [KEY, OTHER_KEY] })

    expect([...new Set(outcomes)]).toEqual(['rate'])
    expect(outcomes).toHaveLength(row.failing.rate.headers?.['retry-after'] ? 2 : 3)
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('shows the client an error about its request, and no other channel is called', async () => {
    await failing(providerCase, row.failing.request)

    const { responses, outcomes } = await sendRequests(providerCase, { times: 2 })

    // With a 200 it may be about this provider only, so another one is called.
    const isRetried = row.failing.request.status !== 400
    expect(outcomes).toEqual(['client', 'client'])
    expect(provider.spareRequests).toBe(isRetried ? 2 : 0)
    expect(responses.map(({ status }) => status)).toEqual(isRetried ? [200, 200] : [400, 400])
    expect(responses[0]!.json.error?.message ?? '').not.toMatch(/bad response status code/)
    expect(gateway.credit.states()).toEqual(isRetried ? ['settled', 'settled'] : ['released', 'released'])
  })

  it('is replaced by another channel when it fails', async () => {
    await failing(providerCase, row.failing.server)

    const { responses, outcomes } = await sendRequests(providerCase)

    expect(outcomes).toEqual(['server'])
    expect(responses[0]!.json.choices[0].message.content).toBe(SPARE_TEXT)
  })
})

describe.each(CHAT_CASES)('$name', (providerCase) => {
  it.each([false, true])('is replaced when its response contains an error, streamed: %s', async (stream) => {
    await failing(providerCase, providerCase.chat.format.withError(stream))

    const { responses, outcomes } = await sendRequests(providerCase, { stream })

    expect(outcomes).toEqual(['server'])
    expect(responses[0]!.status).toBe(200)
    expect(responses[0]!.text).toContain(SPARE_TEXT)
    expect(gateway.credit.states()).toEqual(['settled'])
  })
})

describe.each(FIRST.filter(({ row }) => row.failing.credit))('$name', (providerCase) => {
  it('is not called after its account ran out of credit', async () => {
    await failing(providerCase, providerCase.row.failing.credit!)

    const { outcomes } = await sendRequests(providerCase, { times: 2 })

    expect(outcomes).toEqual(['credit'])
    expect(provider.spareRequests).toBe(2)
  })
})

const SILENT: readonly ProviderCase[] = CASES.filter(({ row }) => row.operations.embeddings && row.chats.length === 0)

describe.each(SILENT)('$name, without chats,', (providerCase) => {
  const embed = async (response: Reply) => {
    provider.respond = () => response
    gateway = await gatewayTo(provider, providerCase, { model: 'm' })
    return gateway.send({
      method: 'POST',
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: 'x' }),
    })
  }

  it.each([
    ['key', 'auth'],
    ['rate', 'rate'],
    ['request', 'client'],
    ['server', 'server'],
  ] as const)('fails on an error of its %s with class %s', async (kind, fault) => {
    await embed(providerCase.row.failing[kind])

    expect(gateway.events[0]).toMatchObject({ kind: 'attempt', channelId: 1, outcome: fault })
  })
})
