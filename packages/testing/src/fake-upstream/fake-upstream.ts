import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playScript } from './play-script.ts'
import { type ReceivedRequest, RequestRecord } from './record.ts'
import { type Script, ScriptBook } from './script.ts'

export interface FakeUpstream {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Answers the next requests with these scripts, in order of arrival. */
  next(...scripts: Script[]): FakeUpstream
  /** Answers every request that fits with this script, unless the queue has one. */
  when(fits: (request: ReceivedRequest) => boolean, script: Script): FakeUpstream
  always(script: Script): FakeUpstream
  /** The n-th chat request, as soon as it is here. */
  received(count: number): Promise<ReceivedRequest>
  /** The n-th request whose caller hung up before the answer was complete. */
  aborted(count: number): Promise<ReceivedRequest>
  finished(count: number): Promise<ReceivedRequest>
  /** Forgets scripts and requests. */
  reset(): void
  close(): Promise<void>
}

export interface FakeUpstreamOptions {
  port?: number
  models?: readonly string[]
  /** Refuses any other key with 401. Left out, any key works. */
  key?: string
  /** False keeps no record of requests, for long runs; then there is nothing to wait for either. */
  remember?: boolean
}

/** Starts an OpenAI-shaped vendor on the loopback address that does what tests tell it. */
export async function fakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const book = new ScriptBook()
  const record = new RequestRecord()
  let sequence = 0

  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    sequence += 1
    void answer(request, response, { book, record, sequence, options })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: record.requests,
    next: (...scripts) => (book.enqueue(...scripts), upstream),
    when: (fits, script) => (book.addRule(fits, script), upstream),
    always: (script) => (book.addRule(() => true, script), upstream),
    received: (count) => record.nth(count, isChat, 'chat requests'),
    aborted: (count) => record.nth(count, ({ abortedAt }) => abortedAt !== undefined, 'aborted requests'),
    finished: (count) => record.nth(count, ({ sent }) => sent.outcome === 'finished', 'finished requests'),
    reset() {
      book.clear()
      record.clear()
    },
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
  return upstream
}

interface Exchange {
  book: ScriptBook
  record: RequestRecord
  sequence: number
  options: FakeUpstreamOptions
}

async function answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
  const { book, record, options } = exchange
  const received = await receive(request, exchange.sequence).catch(() => undefined)
  if (received === undefined) return // the caller left while sending
  if (options.remember !== false) record.add(received)

  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished && received.sent.outcome === 'open') {
      received.abortedAt = Date.now()
      received.sent.outcome = 'aborted'
    }
    gone.abort()
    record.changed()
  })
  try {
    if (!keyAccepted(received, options.key)) return sendJson(received, response, 401, KEY_REFUSED)
    if (received.path === '/v1/models') return sendJson(received, response, 200, modelList(options.models))
    if (!isChat(received)) return sendJson(received, response, 404, NOT_FOUND)
    await playScript(book.scriptFor(received), received, response, gone.signal)
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    if (response.writableFinished && received.sent.outcome === 'open') received.sent.outcome = 'finished'
    record.changed()
  }
}

async function receive(request: IncomingMessage, sequence: number): Promise<ReceivedRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const rawBody = Buffer.concat(parts)
  return {
    sequence,
    method: request.method ?? '',
    path: new URL(request.url ?? '/', 'http://upstream').pathname,
    headers: request.headers,
    rawBody,
    body: parseJson(rawBody),
    receivedAt: Date.now(),
    abortedAt: undefined,
    sent: { status: undefined, events: 0, tokens: 0, text: '', bytes: 0, outcome: 'open' },
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function isChat({ method, path }: ReceivedRequest): boolean {
  return method === 'POST' && path === '/v1/chat/completions'
}

function keyAccepted({ headers }: ReceivedRequest, key: string | undefined): boolean {
  return key === undefined || headers.authorization === `Bearer ${key}`
}

function sendJson({ sent }: ReceivedRequest, response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  sent.status = status
  sent.bytes = Buffer.byteLength(text)
  sent.outcome = 'finished'
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

function modelList(models: readonly string[] = ['gpt-4o', 'gpt-4o-mini']) {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' })) }
}

const KEY_REFUSED = {
  error: {
    message: 'Incorrect API key provided.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_api_key',
  },
}
const NOT_FOUND = {
  error: { message: 'Unknown request URL.', type: 'invalid_request_error', param: null, code: 'unknown_url' },
}
