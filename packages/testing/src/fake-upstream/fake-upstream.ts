import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicMessages } from './anthropic-messages/protocol.ts'
import { answerBeside } from './custom-protocols/auxiliary-requests.ts'
import { baidu } from './custom-protocols/baidu.ts'
import { dify } from './custom-protocols/dify.ts'
import { hunyuan } from './custom-protocols/hunyuan.ts'
import { palm } from './custom-protocols/palm.ts'
import { geminiGenerate } from './gemini-generate/protocol.ts'
import { IssuedSignatures } from './issued-signatures.ts'
import { openaiChat } from './openai-chat/protocol.ts'
import { deepseekCompletions, openaiCompletions } from './openai-completions/protocol.ts'
import { isOperation, playOperation } from './openai-operations.ts'
import { openaiResponses } from './openai-responses/protocol.ts'
import { RequestRecord, ScriptBook } from './requests.ts'
import { playScript } from './run-script.ts'
import type { ReceivedRequest, Script, Vendor, WireForm } from './types.ts'

export interface FakeUpstream {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Answers the next requests with these scripts, in order of arrival. */
  next(...scripts: Script[]): FakeUpstream
  /** Answers every request that fits with this script, unless the queue has one; several scripts take turns. */
  when(fits: (request: ReceivedRequest) => boolean, ...scripts: Script[]): FakeUpstream
  always(script: Script): FakeUpstream
  /** The n-th request of a conversation in any form, as soon as it is here. */
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
  /** False takes members it does not know, as vendors do that are only compatible with OpenAI. */
  strict?: boolean
  /** False keeps no record of requests, for long runs; then there is nothing to wait for either. */
  remember?: boolean
}

/**
 * Starts a vendor on the loopback address that does what tests tell it. It speaks the forms of OpenAI, Anthropic and
 * Gemini by path, and is as particular about requests as they are.
 */
export async function fakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const book = new ScriptBook()
  const record = new RequestRecord()
  const vendor: Vendor = {
    strict: options.strict !== false,
    signatures: new IssuedSignatures(),
    responses: new Map(),
  }
  let sequence = 0

  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    sequence += 1
    void answer(request, response, { book, record, sequence, options, vendor })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: record.requests,
    next: (...scripts) => (book.enqueue(...scripts), upstream),
    when: (fits, ...scripts) => (book.addRule(fits, ...scripts), upstream),
    always: (script) => (book.addRule(() => true, script), upstream),
    received: (count) => record.nth(count, ({ form }) => form !== undefined, 'conversation requests'),
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
  vendor: Vendor
}

async function answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
  const { book, record, options, vendor } = exchange
  const received = await receive(request, exchange.sequence).catch(() => undefined)
  if (received === undefined) return // the caller left while sending
  const form = formOf(received)
  received.form = form?.id
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
    const beside = answerBeside(received)
    if (beside) return sendJson(received, response, beside.status, beside.body)
    const models = listModels(received, options.models ?? MODELS)
    const speaks = form ?? models?.form ?? openaiChat
    if (!keyAccepted(received, speaks, options.key)) {
      return sendJson(received, response, 401, speaks.errorBody(KEY_REFUSED))
    }
    if (models !== undefined) return sendJson(received, response, 200, models.body)
    if (form === undefined && isOperation(received)) {
      await playOperation(book.scriptFor(received), { received, response, gone: gone.signal })
      return
    }
    if (form === undefined) return sendJson(received, response, 404, speaks.errorBody(NOT_FOUND))
    await playScript(book.scriptFor(received), { form, vendor, received, response, gone: gone.signal })
  } catch (error) {
    if (gone.signal.aborted) return
    response.destroy() // a fault of our own must not leave the caller waiting
    throw error
  } finally {
    if (response.writableFinished && received.sent.outcome === 'open') received.sent.outcome = 'finished'
    record.changed()
  }
}

async function receive(request: IncomingMessage, sequence: number): Promise<ReceivedRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const rawBody = Buffer.concat(parts)
  const address = new URL(request.url ?? '/', 'http://upstream')
  return {
    sequence,
    method: request.method ?? '',
    path: address.pathname,
    query: address.searchParams,
    form: undefined,
    headers: request.headers,
    rawBody,
    body: parseJson(rawBody),
    receivedAt: Date.now(),
    abortedAt: undefined,
    sent: {
      status: undefined,
      events: 0,
      tokens: 0,
      text: '',
      counts: undefined,
      refused: undefined,
      bytes: 0,
      outcome: 'open',
    },
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function keyAccepted(received: ReceivedRequest, form: WireForm, key: string | undefined): boolean {
  return key === undefined || form.keyOf(received) === key
}

function sendJson({ sent }: ReceivedRequest, response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  sent.status = status
  sent.bytes = Buffer.byteLength(text)
  sent.outcome = 'finished'
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

const MODELS = ['gpt-4o', 'gpt-4o-mini']
const KEY_REFUSED = { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' }
const NOT_FOUND = { status: 404, message: 'Unknown request URL.', code: 'unknown_url' }

const FORMS: readonly WireForm[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  geminiGenerate,
  deepseekCompletions,
  baidu,
  dify,
  hunyuan,
  palm,
]

/** The form a conversation is held in, or undefined when the request is none. */
function formOf(request: ReceivedRequest): WireForm | undefined {
  return FORMS.find((form) => form.serves(request))
}

/** A vendor's list of models, in the form the caller's headers or path ask for. */
interface ModelList {
  form: WireForm
  body: unknown
}

function listModels(request: ReceivedRequest, models: readonly string[]): ModelList | undefined {
  const { method, path, headers } = request
  if (method !== 'GET') return undefined
  if (path === '/v1beta/models') return { form: geminiGenerate, body: geminiList(models) }
  if (path !== '/v1/models') return undefined
  if (headers['anthropic-version'] !== undefined) return { form: anthropicMessages, body: anthropicList(models) }
  return { form: openaiChat, body: openaiList(models) }
}

function openaiList(models: readonly string[]) {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' })) }
}

function anthropicList(models: readonly string[]) {
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' }))
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}

function geminiList(models: readonly string[]) {
  return {
    models: models.map((id) => ({
      name: `models/${id}`,
      version: '001',
      displayName: id,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }
}
