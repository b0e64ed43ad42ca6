import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { countTokens } from './tokens.ts'
import { openaiError } from './openai-wire.ts'
import { nameSet, ProviderError, requireThat } from './checks.ts'
import type { ReceivedRequest, Script } from './types.ts'

/** Responses of operations other than chat, by the end of their path. */
const OPERATIONS: readonly [RegExp, (request: ReceivedRequest, script: Script) => OperationResponse][] = [
  [/\/embeddings$/, embeddings],
  [/\/moderations$/, moderations],
  [/\/rerank$/, rerank],
  [/\/images\/(generations|edits|variations)$/, images],
  [/\/audio\/speech$/, speech],
  [/\/audio\/(transcriptions|translations)$/, transcription],
  [/\/messages\/count_tokens$/, countMessages],
  [/:countTokens$/, countContents],
  [/\/responses\/input_tokens$/, countInput],
]

interface OperationResponse {
  readonly type?: string
  readonly body: Buffer | object | string
}

type OperationRequest = Record<string, unknown> & { input?: unknown; model?: string }

export function isOperation({ method, path }: ReceivedRequest): boolean {
  return method === 'POST' && OPERATIONS.some(([pattern]) => pattern.test(path))
}

/** The result of an operation as a line of a batch; undefined for other requests. */
export function operationResult(
  request: ReceivedRequest,
): { status: number; body: Record<string, unknown> } | undefined {
  if (!isOperation(request)) return undefined
  const find = OPERATIONS.find(([path]) => path.test(request.path))![1]
  const { status, content } = compose(find, request, {})
  return { status, body: content.body as Record<string, unknown> }
}

interface Exchange {
  readonly received: ReceivedRequest
  readonly response: ServerResponse
  readonly disconnected: AbortSignal
}

export async function runOperation(
  script: Script,
  { received: request, response, disconnected }: Exchange,
): Promise<void> {
  const find = OPERATIONS.find(([path]) => path.test(request.path))![1]
  if (script.hang) return await new Promise((resolve) => disconnected.addEventListener('abort', () => resolve()))
  if (script.headersAfterMs) await wait(script.headersAfterMs, undefined, { signal: disconnected })
  const { status, content: composed } = compose(find, request, script)
  const bytes = Buffer.isBuffer(composed.body)
    ? composed.body
    : Buffer.from(typeof composed.body === 'string' ? composed.body : JSON.stringify(composed.body))
  const { sent } = request
  sent.status = status
  response.writeHead(status, { 'content-type': composed.type ?? 'application/json', ...script.headers })
  if (script.cut) {
    response.write(bytes.subarray(0, script.cut.partialBytes ?? 10))
    sent.outcome = 'cut'
    await wait(50)
    response.destroy()
    return
  }
  sent.bytes = bytes.length
  response.end(bytes)
}

function compose(
  find: (request: ReceivedRequest, script: Script) => OperationResponse,
  request: ReceivedRequest,
  script: Script,
): { status: number; content: OperationResponse } {
  if (script.body !== undefined) return { status: script.status ?? 200, content: { body: script.body as object } }
  if (script.status !== undefined && script.status >= 400) {
    const failure = { status: script.status, message: `The provider says ${script.status}.` }
    return { status: script.status, content: { body: openaiError(failure) } }
  }
  try {
    return { status: 200, content: find(request, script) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    request.sent.rejection = error.message
    return { status: error.failure.status, content: { body: openaiError(error.failure) } }
  }
}

function readRequest({ body }: ReceivedRequest): OperationRequest {
  requireThat(typeof body === 'object' && body !== null, 'We could not parse the JSON body of your request.')
  const request = body as OperationRequest
  requireThat(typeof request.model === 'string' && request.model !== '', 'you must provide a model parameter', 'model')
  return request
}

function usageOf(script: Script, prompt_tokens: number): object {
  if (script.usage === 'missing') return {}
  const usage = typeof script.usage === 'object' ? script.usage : { prompt_tokens, total_tokens: prompt_tokens }
  return { usage }
}

function embeddings(request: ReceivedRequest, script: Script): OperationResponse {
  const { model, input } = readRequest(request)
  requireThat(input !== undefined, 'input is required', 'input')
  const entries = Array.isArray(input) && typeof input[0] !== 'number' ? (input as unknown[]) : [input]
  const tokens = entries.reduce<number>(
    (sum, entry) => sum + (Array.isArray(entry) ? entry.length : countTokens(String(entry))),
    0,
  )
  const data = entries.map((_, index) => ({ object: 'embedding', index, embedding: [0.1, -0.2, 0.3] }))
  return { body: { object: 'list', data, model, ...usageOf(script, tokens) } }
}

function moderations(request: ReceivedRequest): OperationResponse {
  const { model } = readRequest(request)
  return { body: { id: 'modr-1', model, results: [{ flagged: false, categories: {}, category_scores: {} }] } }
}

function rerank(request: ReceivedRequest, script: Script): OperationResponse {
  const { documents, query } = readRequest(request)
  requireThat(Array.isArray(documents) && typeof query === 'string', 'query and documents are required')
  const tokens = countTokens(query) + documents.reduce<number>((sum, one) => sum + countTokens(String(one)), 0)
  const results = documents.map((_, index) => ({ index, relevance_score: 1 / (index + 1) }))
  return { body: { results, ...usageOf(script, tokens) } }
}

function images(request: ReceivedRequest): OperationResponse {
  const { n = 1 } = (request.body ?? {}) as { n?: number }
  const data = Array.from({ length: n }, (_, index) => ({ url: `https://images.example/${index}.png` }))
  return { body: { created: 1, data } }
}

function speech(request: ReceivedRequest): OperationResponse {
  const { input } = readRequest(request)
  requireThat(typeof input === 'string', 'input is required', 'input')
  return { type: 'audio/mpeg', body: Buffer.alloc(200_000, `sound of ${input} `) }
}

/** Checks a form as text, which is enough to find required fields. */
function transcription({ rawBody, headers }: ReceivedRequest, script: Script): OperationResponse {
  const text = rawBody.toString('latin1')
  requireThat(headers['content-type']?.startsWith('multipart/form-data'), 'multipart/form-data is required')
  requireThat(text.includes('name="file"'), 'file is required', 'file')
  requireThat(text.includes('name="model"'), 'model is required', 'model')
  const format = /name="response_format"\r\n\r\n(\w+)/.exec(text)?.[1] ?? 'json'
  if (format === 'text' || format === 'srt') return { type: 'text/plain', body: 'the sea is calm' }
  const usage = typeof script.usage === 'object' ? { usage: script.usage } : {}
  return { body: { text: 'the sea is calm', ...usage } }
}

/** No tokenizer counts this, so tests see who counted. */
export const PROVIDER_COUNT = 321

/** Anthropic takes only the prompt. */
function countMessages(request: ReceivedRequest): OperationResponse {
  const { messages, max_tokens: limit, stream } = readRequest(request)
  requireThat(Array.isArray(messages), 'messages: Field required')
  requireThat(limit === undefined, 'max_tokens: Extra inputs are not permitted')
  requireThat(stream === undefined, 'stream: Extra inputs are not permitted')
  return { body: { input_tokens: PROVIDER_COUNT } }
}

/** OpenAI takes the parts of a request that its prompt consists of. */
function countInput(request: ReceivedRequest): OperationResponse {
  const { model, input, ...rest } = readRequest(request)
  requireThat(model, "Missing required parameter: 'model'.", 'model')
  requireThat(input !== undefined, "Missing required parameter: 'input'.", 'input')
  for (const name of Object.keys(rest)) requireThat(COUNTED.has(name), `Unknown parameter: '${name}'.`, name)
  return { body: { object: 'response.input_tokens', input_tokens: PROVIDER_COUNT } }
}

const COUNTED = nameSet(`
  instructions tools tool_choice parallel_tool_calls reasoning text truncation conversation previous_response_id
`)

/** Google takes the contents alone, or a whole request for the model of the path. */
function countContents({ body, path }: ReceivedRequest): OperationResponse {
  const { contents, generateContentRequest: inner, ...rest } = (body ?? {}) as Record<string, unknown>
  requireThat(Object.keys(rest).length === 0, `Unknown name "${Object.keys(rest)[0]}": Cannot find field.`)
  const { contents: list = contents, model } = (inner ?? {}) as { contents?: unknown; model?: string }
  requireThat(Array.isArray(list), 'contents is not specified')
  requireThat(inner === undefined || path.endsWith(`/${model}:countTokens`), 'The model names are inconsistent.')
  return { body: { totalTokens: PROVIDER_COUNT } }
}
