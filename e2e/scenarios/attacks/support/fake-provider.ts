import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request exactly as received: nothing is decoded or normalized. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ProviderResponse {
  status?: number
  headers?: Record<string, string>
  body: string
}

/** A provider that accepts anything and responds in the protocol of the path. */
export interface FakeProvider {
  readonly url: string
  readonly result: ReceivedRequest[]
  /** Replaces the default response. `undefined` keeps the default. */
  respondWith(response: ((request: ReceivedRequest) => ProviderResponse | undefined) | undefined): void
  close(): Promise<void>
}

/** Maximum number of stored requests. Fuzzing sends more than any test reads. */
const MAX_STORED = 5_000

export async function startFakeProvider(): Promise<FakeProvider> {
  const result: ReceivedRequest[] = []
  let special: ((request: ReceivedRequest) => ProviderResponse | undefined) | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => {}) // the gateway aborted the request
    request.once('end', () => {
      const { method = '', url = '', headers } = request
      const received = { method, url, headers, body: Buffer.concat(parts).toString('utf8') }
      if (result.length < MAX_STORED) result.push(received)
      write(response, special?.(received) ?? defaultResponse(received))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    result,
    respondWith: (response) => void (special = response),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function write(response: ServerResponse, { status = 200, headers = {}, body }: ProviderResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

const COUNTS = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const CHAT = { id: 'c', object: 'chat.completion', created: 1, model: 'm' }

function defaultResponse({ url, body }: ReceivedRequest): ProviderResponse {
  const path = url.split('?')[0]!
  const json = (value: object): ProviderResponse => ({ body: JSON.stringify(value) })
  if (path.endsWith('/messages') || path.includes('/invoke')) {
    const content = [{ type: 'text', text: 'aye' }]
    const usage = { input_tokens: 3, output_tokens: 2 }
    return json({ id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage })
  }
  if (path.includes(':generateContent')) {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'aye' }] }, finishReason: 'STOP' }]
    return json({ candidates, usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 } })
  }
  if (path.endsWith('/interactions')) {
    const steps = [{ type: 'model_output', content: [{ type: 'text', text: 'aye' }] }]
    const usage = { total_input_tokens: 3, total_output_tokens: 2, total_tokens: 5 }
    return json({ id: 'v1_1', object: 'interaction', status: 'completed', model: 'm', steps, usage })
  }
  if (path.endsWith('/responses')) {
    const output = [
      {
        id: 'o',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'aye', annotations: [] }],
      },
    ]
    const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
    return json({ id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'm', output, usage })
  }
  if (path.endsWith('/speech')) return { headers: { 'content-type': 'audio/mpeg' }, body: 'sound' }
  if (path.endsWith('/chat/completions') && /"stream":\s*true/.test(body))
    return { headers: { 'content-type': 'text/event-stream' }, body: STREAM }
  if (path.endsWith('/chat/completions')) {
    return json({
      ...CHAT,
      choices: [{ index: 0, message: { role: 'assistant', content: 'aye' }, finish_reason: 'stop' }],
      usage: COUNTS,
    })
  }
  return json({
    ...CHAT,
    choices: [{ index: 0, text: 'aye', finish_reason: 'stop' }],
    data: [{ index: 0, object: 'embedding', embedding: [0.1], url: 'https://pictures.example/1.png' }],
    results: [{ index: 0, relevance_score: 0.5 }],
    text: 'aye',
    usage: COUNTS,
  })
}

const STREAM = [
  { ...CHAT, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'aye' } }] },
  {
    ...CHAT,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: COUNTS,
  },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .concat('data: [DONE]\n\n')
  .join('')
