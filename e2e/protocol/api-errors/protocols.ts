/** How a client sends a request in a protocol, and how it gets an error. */
export interface ErrorProtocol {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini' | 'interactions'
  /** Which protocols have the same errors. */
  readonly errors: 'openai' | 'messages' | 'gemini'
  /** The type of its channels. */
  readonly channelType: number
  path(model: string): string
  /** An unknown path that still belongs to this protocol. */
  readonly unknownPath: string
  /** The headers in which clients of the protocol send the key. */
  keyHeaders(key: string): Record<string, string>
  body(model: string, prompt: string): Record<string, unknown>
  /** A body with this nesting depth and all required fields. */
  deepBody(model: string, nested: string): string
  /** Reads an error; throws if it does not have the format of the protocol. */
  read(body: unknown, status: number): ProtocolError
}

export interface ProtocolError {
  readonly message: string
  /** Empty if there is none. */
  readonly code: string
}

const openai = {
  errors: 'openai' as const,
  channelType: 1,
  unknownPath: '/v1/nothing/here',
  keyHeaders: (key: string) => ({ authorization: `Bearer ${key}` }),
  read(body: unknown): ProtocolError {
    const { error } = body as { error: Record<string, unknown> }
    for (const member of ['message', 'type']) demandText(error[member], `error.${member}`)
    if (!('param' in error) || !('code' in error)) throw new Error('param or code is missing')
    return { message: String(error.message), code: codeOf(error) }
  },
}

const chat: ErrorProtocol = {
  ...openai,
  name: 'chat',
  path: () => '/v1/chat/completions',
  body: (model, prompt) => ({ model, messages: [{ role: 'user', content: prompt }] }),
  deepBody: (model, nested) => `{"model":"${model}","messages":[{"role":"user","content":"hi","x":${nested}}]}`,
}

const responses: ErrorProtocol = {
  ...openai,
  name: 'responses',
  path: () => '/v1/responses',
  body: (model, prompt) => ({ model, input: prompt }),
  deepBody: (model, nested) => `{"model":"${model}","input":"hi","x":${nested}}`,
}

const ANTHROPIC_TYPES = new Set([
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'overloaded_error',
])

const messages: ErrorProtocol = {
  name: 'messages',
  errors: 'messages',
  channelType: 14,
  path: () => '/v1/messages',
  unknownPath: '/v1/messages/nothing/here',
  keyHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  body: (model, prompt) => ({ model, max_tokens: 50, messages: [{ role: 'user', content: prompt }] }),
  deepBody: (model, nested) =>
    `{"model":"${model}","max_tokens":50,"messages":[{"role":"user","content":"hi","x":${nested}}]}`,
  read(body) {
    const { type, error } = body as { type: string; error: Record<string, unknown> }
    if (type !== 'error') throw new Error(`the type is ${type}`)
    demandText(error.message, 'error.message')
    if (!ANTHROPIC_TYPES.has(String(error.type))) throw new Error(`the type of the error is ${String(error.type)}`)
    return { message: String(error.message), code: codeOf(error) }
  },
}

const GOOGLE_STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const gemini: ErrorProtocol = {
  name: 'gemini',
  errors: 'gemini',
  channelType: 24,
  path: (model) => `/v1beta/models/${model}:generateContent`,
  unknownPath: '/v1beta/nothing/here',
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  body: (_, prompt) => ({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
  deepBody: (_, nested) => `{"contents":[{"role":"user","parts":[{"text":"hi","x":${nested}}]}]}`,
  read(body, status) {
    const { error } = body as { error: Record<string, unknown> & { details?: { reason?: string }[] } }
    demandText(error.message, 'error.message')
    if (error.code !== status) throw new Error(`the code is ${String(error.code)} and the status ${status}`)
    const name = GOOGLE_STATUSES[status] ?? 'UNKNOWN'
    if (error.status !== name) throw new Error(`the status is ${String(error.status)} instead of ${name}`)
    return { message: String(error.message), code: error.details?.find(({ reason }) => reason)?.reason ?? '' }
  },
}

const interactions: ErrorProtocol = {
  ...gemini,
  name: 'interactions',
  path: () => '/v1beta/interactions',
  unknownPath: '/v1beta/interactions/nothing/here',
  body: (model, prompt) => ({ model, input: prompt }),
  deepBody: (model, nested) => `{"model":"${model}","input":"hi","x":${nested}}`,
}

export const ERROR_PROTOCOLS: readonly ErrorProtocol[] = [chat, responses, messages, gemini, interactions]

function codeOf({ code }: Record<string, unknown>): string {
  return typeof code === 'string' ? code : ''
}

function demandText(value: unknown, what: string): void {
  if (typeof value !== 'string' || value === '') throw new Error(`${what} is ${JSON.stringify(value)}`)
}
