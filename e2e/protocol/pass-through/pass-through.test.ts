import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addChannel, addToken } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHAT_SHAPES } from './chat-shapes.ts'
import { GEMINI_SHAPES } from './gemini-shapes.ts'
import { INTERACTIONS_SHAPES } from './interactions-shapes.ts'
import { MESSAGES_SHAPES } from './messages-shapes.ts'
import { RESPONSES_SHAPES } from './responses-shapes.ts'
import type { Shape } from './shape.ts'
import { sharedSite } from '../shared-site.ts'

/** Client and provider use the same protocol: every byte is forwarded, except for what we must change. */
const GROUPS = [
  { dialect: 'chat', type: 1, shapes: CHAT_SHAPES },
  { dialect: 'responses', type: 1, shapes: RESPONSES_SHAPES },
  { dialect: 'claude', type: 14, shapes: MESSAGES_SHAPES },
  { dialect: 'gemini', type: 24, shapes: GEMINI_SHAPES },
  { dialect: 'interactions', type: 24, shapes: INTERACTIONS_SHAPES },
]

const site = sharedSite()
let provider: RecordingProvider
let key: string
beforeAll(async () => {
  provider = await startRecordingProvider()
  for (const { dialect, type } of GROUPS) {
    const mapping = JSON.stringify({ [`alias-${dialect}`]: `same-${dialect}` })
    const models = `same-${dialect},alias-${dialect}`
    await addChannel(site.admin, provider, { type, models, model_mapping: mapping })
  }
  await site.setOption('gemini.safety_settings', { default: 'OPERATORS_CHOICE' })
  const rates = { input: 1, output: 1 }
  await site.setOption('ModelRates', {
    'same-claude': { rates, fees: { webSearch: 0.01 } },
    'same-gemini': { rates, fees: { webSearchQuery: 0.014 } },
    'same-interactions': { rates, fees: { webSearchQuery: 0.014 } },
  })
  key = (await addToken(site.admin)).secret
})
afterAll(() => provider?.close())

describe.each(GROUPS)('$dialect', ({ shapes }) => {
  it.each(shapes)('$name', async (shape) => {
    const request = provider.respondNext(shape)

    const received = await post(shape)

    expect(received).toEqual({ status: 200, text: shape.received ?? shape.response })
    expect(await request).toEqual({ path: shape.sentPath ?? shape.path, text: shape.sent ?? shape.body })
  })
})

function post({ path, body }: Shape): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    request(site.url + path, { method: 'POST', headers }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .once('error', reject)
      .end(body)
  })
}

interface ReceivedRequest {
  path: string
  text: string
}

interface RecordingProvider {
  readonly url: string
  /** Responds to the next request with these bytes. Resolves with the received request. */
  respondNext(shape: Shape): Promise<ReceivedRequest>
  close(): void
}

async function startRecordingProvider(): Promise<RecordingProvider> {
  let next: { shape: Shape; resolve(request: ReceivedRequest): void } | undefined
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const piece of request.setEncoding('utf8')) text += piece as string
      const { shape, resolve } = next!
      resolve({ path: request.url ?? '', text })
      const contentType = shape.stream ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': contentType }).end(shape.response)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respondNext: (shape) => new Promise((resolve) => (next = { shape, resolve })),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
