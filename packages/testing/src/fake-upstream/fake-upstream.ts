import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicMessages } from './anthropic-messages/protocol.ts'
import { anthropicBatchResponse } from './batches/anthropic-batches.ts'
import { type BatchRequest, FakeBatches } from './batches/batch-store.ts'
import { type BatchApiResponse, openaiBatchResponse } from './batches/openai-batches.ts'
import { runLine } from './batches/run-line.ts'
import { ProviderError } from './checks.ts'
import { auxiliaryResponse } from './custom-protocols/auxiliary-requests.ts'
import { readCloudRequest } from './cloud-requests.ts'
import { baidu } from './custom-protocols/baidu.ts'
import { dify } from './custom-protocols/dify.ts'
import { hunyuan } from './custom-protocols/hunyuan.ts'
import { palm } from './custom-protocols/palm.ts'
import { geminiGenerate } from './gemini-generate/protocol.ts'
import { geminiInteractions } from './gemini-interactions/protocol.ts'
import { IssuedSignatures } from './issued-signatures.ts'
import { openaiChat } from './openai-chat/protocol.ts'
import { deepseekCompletions, openaiCompletions } from './openai-completions/protocol.ts'
import { isOperation, operationResult, runOperation } from './openai-operations.ts'
import { openaiCompaction, openaiResponses } from './openai-responses/protocol.ts'
import { RequestLog, ScriptQueue } from './requests.ts'
import { runScript } from './run-script.ts'
import type { Protocol, ReceivedRequest, Script, ScriptOrFunction, UpstreamState } from './types.ts'

export interface FakeUpstream {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Batches that were created at the provider. Their requests are not among `requests`. */
  readonly batches: FakeBatches
  /** Scripts of the next requests, in order of arrival. */
  next(...scripts: Script[]): FakeUpstream
  /** Scripts of all matching requests, unless the queue has one; several scripts are used in turn. */
  when(matches: (request: ReceivedRequest) => boolean, ...scripts: ScriptOrFunction[]): FakeUpstream
  always(script: Script): FakeUpstream
  /** Waits for the n-th chat request of any protocol. */
  received(count: number): Promise<ReceivedRequest>
  /** Waits for the n-th request whose client disconnected early. */
  aborted(count: number): Promise<ReceivedRequest>
  finished(count: number): Promise<ReceivedRequest>
  /** Clears scripts and requests. */
  reset(): void
  close(): Promise<void>
}

export interface FakeUpstreamOptions {
  port?: number
  models?: readonly string[]
  /** Rejects other keys with 401. By default any key works. */
  key?: string
  /** False accepts unknown members, as OpenAI-compatible providers do. */
  strict?: boolean
  /** False does not record requests, for long runs; then tests cannot wait for them. */
  remember?: boolean
}

/**
 * Starts a scripted provider on the loopback address. It serves the protocols of OpenAI, Anthropic and Gemini by path,
 * and validates requests as strictly as they do.
 */
export async function fakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const scripts = new ScriptQueue()
  const log = new RequestLog()
  const batches = new FakeBatches()
  const state: UpstreamState = {
    strict: options.strict !== false,
    signatures: new IssuedSignatures(),
    responses: new Map(),
  }
  let sequence = 0

  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    sequence += 1
    void handle(request, response, { scripts, log, batches, sequence, options, state })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: log.requests,
    batches,
    next: (...added) => (scripts.enqueue(...added), upstream),
    when: (matches, ...added) => (scripts.addRule(matches, ...added), upstream),
    always: (script) => (scripts.addRule(() => true, script), upstream),
    received: (count) => log.nth(count, ({ form: protocol }) => protocol !== undefined, 'conversation requests'),
    aborted: (count) => log.nth(count, ({ abortedAt }) => abortedAt !== undefined, 'aborted requests'),
    finished: (count) => log.nth(count, ({ sent }) => sent.outcome === 'finished', 'finished requests'),
    reset() {
      scripts.clear()
      log.clear()
      batches.clear()
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
  scripts: ScriptQueue
  log: RequestLog
  batches: FakeBatches
  sequence: number
  options: FakeUpstreamOptions
  state: UpstreamState
}

async function handle(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
  const { scripts, log, options, state } = exchange
  const received = await receive(request, exchange.sequence).catch(() => undefined)
  if (received === undefined) return // the client disconnected while sending
  const protocol = protocolOf(received)
  received.form = protocol?.id
  if (options.remember !== false) log.add(received)

  const disconnected = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished && received.sent.outcome === 'open') {
      received.abortedAt = Date.now()
      received.sent.outcome = 'aborted'
    }
    disconnected.abort()
    log.changed()
  })
  try {
    const auxiliary = auxiliaryResponse(received)
    if (auxiliary) return sendJson(received, response, auxiliary.status, auxiliary.body)
    const models = listModels(received, options.models ?? MODELS)
    const errorProtocol = protocol ?? models?.protocol ?? openaiChat
    if (!isKeyAccepted(received, errorProtocol, options.key)) {
      return sendJson(received, response, 401, errorProtocol.errorBody(KEY_REJECTED))
    }
    if (models !== undefined) return sendJson(received, response, 200, models.body)
    const isBatch = protocol === undefined && BATCH_PATHS.test(received.path)
    const script = isBatch ? scripts.ruleFor(received) : undefined
    const ofBatches = isBatch ? await batchResponse(received, exchange, script) : undefined
    if (ofBatches) {
      // The connection breaks after the provider has done what was requested.
      if (script?.cut) return void response.destroy()
      return send(received, response, ofBatches)
    }
    if (protocol === undefined && isOperation(received)) {
      await runOperation(scripts.scriptFor(received), { received, response, disconnected: disconnected.signal })
      return
    }
    if (protocol === undefined) return sendJson(received, response, 404, errorProtocol.errorBody(NOT_FOUND))
    await runScript(scripts.scriptFor(received), {
      protocol,
      state,
      received,
      response,
      disconnected: disconnected.signal,
    })
  } catch (error) {
    if (disconnected.signal.aborted) return
    response.destroy() // an error of the fake must not leave the client waiting
    throw error
  } finally {
    if (response.writableFinished && received.sent.outcome === 'open') received.sent.outcome = 'finished'
    log.changed()
  }
}

async function receive(request: IncomingMessage, sequence: number): Promise<ReceivedRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const rawBody = Buffer.concat(parts)
  const address = new URL(request.url ?? '/', 'http://upstream')
  const { cloud, wire } = readCloudRequest({
    path: address.pathname,
    headers: request.headers,
    body: parseJson(rawBody),
  })
  return {
    sequence,
    method: request.method ?? '',
    ...wire,
    cloud,
    query: address.searchParams,
    form: undefined,
    rawBody,
    receivedAt: Date.now(),
    abortedAt: undefined,
    sent: {
      status: undefined,
      events: 0,
      tokens: 0,
      text: '',
      counts: undefined,
      rejection: undefined,
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

function isKeyAccepted(received: ReceivedRequest, protocol: Protocol, key: string | undefined): boolean {
  return key === undefined || protocol.keyOf(received) === key
}

function sendJson(received: ReceivedRequest, response: ServerResponse, status: number, body: unknown): void {
  send(received, response, { status, body: JSON.stringify(body) })
}

function send({ sent }: ReceivedRequest, response: ServerResponse, { status, type, body }: BatchApiResponse): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  sent.status = status
  sent.bytes = Buffer.byteLength(text)
  sent.outcome = 'finished'
  response.writeHead(status, { 'content-type': type ?? 'application/json' }).end(text)
}

const BATCH_PATHS = /^\/v1\/(files|batches|messages\/batches)(\/|$)/

/** The response to a request of the batch API, in the protocol of its path. */
async function batchResponse(
  received: ReceivedRequest,
  { batches, scripts, state }: Exchange,
  script: Script | undefined,
): Promise<BatchApiResponse | undefined> {
  const isAnthropic = received.headers['x-api-key'] !== undefined
  const protocol = isAnthropic ? anthropicMessages : openaiChat
  if (script?.status !== undefined && script.status >= 400) {
    const failure = { status: script.status, message: `The fake upstream was set to return ${script.status}.` }
    return { status: script.status, body: (script.body ?? protocol.errorBody(failure)) as object }
  }
  const context = {
    batches,
    key: protocol.keyOf(received),
    url: `http://${received.headers.host}`,
    run: (line: BatchRequest) =>
      runLine(line, received, {
        state,
        protocolOf,
        operationResult,
        scriptFor: (request) => scripts.scriptFor(request),
      }),
  }
  try {
    return isAnthropic ? anthropicBatchResponse(received, context) : await openaiBatchResponse(received, context)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { status: error.failure.status, body: protocol.errorBody(error.failure) as object }
  }
}

const MODELS = ['gpt-4o', 'gpt-4o-mini']
const KEY_REJECTED = { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' }
const NOT_FOUND = { status: 404, message: 'Unknown request URL.', code: 'unknown_url' }

const PROTOCOLS: readonly Protocol[] = [
  openaiChat,
  openaiResponses,
  openaiCompaction,
  openaiCompletions,
  anthropicMessages,
  geminiGenerate,
  geminiInteractions,
  deepseekCompletions,
  baidu,
  dify,
  hunyuan,
  palm,
]

/** The protocol of a chat request; undefined for other requests. */
function protocolOf(request: ReceivedRequest): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.matches(request))
}

/** A model list in the protocol of the request's headers or path. */
interface ModelList {
  protocol: Protocol
  body: unknown
}

function listModels(request: ReceivedRequest, models: readonly string[]): ModelList | undefined {
  const { method, path, headers } = request
  if (method !== 'GET') return undefined
  if (path === '/v1beta/models') return { protocol: geminiGenerate, body: geminiList(models) }
  if (path !== '/v1/models') return undefined
  if (headers['anthropic-version'] !== undefined) return { protocol: anthropicMessages, body: anthropicList(models) }
  return { protocol: openaiChat, body: openaiList(models) }
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
