import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

type JsonObject = Record<string, unknown>
interface GoldenRow {
  readonly id: string
  readonly model: string
  readonly protocol: string
  readonly at: string
  readonly request?: JsonObject
  readonly response: JsonObject & { headers?: Record<string, string> }
  readonly groupRatio?: number
  readonly endpointTier?: string
  readonly channelRegion?: string
  readonly expect: { readonly quota: number }
}

/** A request in a protocol, and the parts of a response that do not affect the bill. */
interface Protocol {
  readonly channelType: number
  path(model: string, stream: boolean): string
  question(model: string): JsonObject
  whole(response: JsonObject): JsonObject
  frames(response: JsonObject): JsonObject[]
}

const TEXT = 'High tide is at noon.'
const chat: Protocol = {
  channelType: 1,
  path: () => '/v1/chat/completions',
  question: (model) => ({ model, messages: [{ role: 'user', content: 'When is high tide?' }] }),
  whole: (response) => ({
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
    ...response,
  }),
  frames: (response) => [
    { id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: TEXT } }] },
    { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { id: 'c1', choices: [], ...response },
  ],
}
const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: TEXT }] }
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'openai-chat': chat,
  'openai-compatible': chat,
  'openai-responses': {
    channelType: 1,
    path: () => '/v1/responses',
    question: (model) => ({ model, input: 'When is high tide?' }),
    whole: (response) => ({ id: 'r1', ...response, output: [message, ...((response.output as JsonObject[]) ?? [])] }),
    frames: (response) => [
      { type: 'response.created', response: { id: 'r1', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: TEXT },
      {
        type: 'response.completed',
        response: {
          id: 'r1',
          status: 'completed',
          ...response,
          output: [message, ...((response.output as JsonObject[]) ?? [])],
        },
      },
    ],
  },
  'anthropic-messages': {
    channelType: 14,
    path: () => '/v1/messages',
    question: (model) => ({ model, max_tokens: 1000, messages: [{ role: 'user', content: 'When is high tide?' }] }),
    whole: (response) => ({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      ...response,
    }),
    // The first counts are preliminary; those of the last frame replace them.
    frames: (response) => [
      {
        type: 'message_start',
        message: { id: 'm1', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: response.usage },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    channelType: 24,
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    question: () => ({ contents: [{ role: 'user', parts: [{ text: 'When is high tide?' }] }] }),
    whole: withCandidate,
    frames: (response) => [
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: TEXT }] } }] },
      withCandidate(response),
    ],
  },
}

function withCandidate(response: JsonObject): JsonObject {
  const [first = {}] = (response.candidates as JsonObject[]) ?? []
  return {
    ...response,
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP', ...first }],
  }
}

const { rows } = JSON.parse(
  readFileSync(new URL('../../pricing/src/golden/invoices.json', import.meta.url), 'utf8'),
) as { rows: readonly GoldenRow[] }
/**
 * The gateway knows neither the region of a channel nor the tier of an endpoint. A provider that reports no output for
 * a response with text has not counted, so the text is counted.
 */
const served = rows.filter(
  ({ id, protocol, endpointTier, channelRegion }) =>
    id !== 'grp-02' && Object.hasOwn(PROTOCOLS, protocol) && endpointTier === undefined && channelRegion === undefined,
)

let provider: Server
let row: GoldenRow
beforeAll(async () => {
  provider = createServer((request, response) => {
    request.resume().on('end', () => {
      const { headers = {}, ...body } = row.response
      const { whole, frames } = PROTOCOLS[row.protocol]!
      const isStream = request.headers.accept === 'text/event-stream'
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers })
      if (!isStream) return response.end(JSON.stringify(whole(body)))
      for (const frame of frames(body)) {
        const name = row.protocol === 'anthropic-messages' ? `event: ${String(frame.type)}\n` : ''
        response.write(`${name}data: ${JSON.stringify(frame)}\n\n`)
      }
      return response.end(row.protocol.startsWith('openai-c') ? 'data: [DONE]\n\n' : '')
    })
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
})
afterAll(() => provider.close())

describe.each([
  ['whole', false],
  ['streamed', true],
])('a %s response is billed as its provider bills it', (_, stream) => {
  it.each(served)('$id $model', async (invoice) => {
    row = invoice
    const { channelType, path, question } = PROTOCOLS[row.protocol]!
    const gateway: TestGateway = await startGateway({
      channels: [
        aChannel({
          type: channelType,
          baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
          models: [row.model],
        }),
      ],
      settings: { GroupRatio: { default: row.groupRatio ?? 1 } },
      startsAt: new Date(row.at),
    })
    gateway.credit.balance = 1_000_000_000
    try {
      const body = { ...question(row.model), ...row.request, ...(row.protocol !== 'gemini' && stream && { stream }) }
      const { status } = await gateway.send({
        method: 'POST',
        path: path(row.model, stream),
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

      expect(status).toBe(200)
      expect(gateway.credit.settled.map(({ receipt }) => receipt.quota)).toEqual([row.expect.quota])
    } finally {
      await gateway.close()
    }
  })
})
