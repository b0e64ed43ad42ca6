/** How a client of a protocol sends a request and reads the response. */
export interface Protocol {
  path(model: string, stream: boolean): string
  credential(key: string): Record<string, string>
  body(request: { model: string; stream: boolean; text: string }): Record<string, unknown>
  /** The text of a whole response, and of one event of a stream. */
  textIn(response: Json): string
  deltaIn(event: Json): string
  errorIn(piece: Json): unknown
}

export type ProtocolName = 'chat' | 'messages' | 'responses' | 'gemini'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  chat: {
    path: () => '/v1/chat/completions',
    credential: bearer,
    body: ({ text: content, ...request }) => ({ ...request, messages: [{ role: 'user', content }] }),
    textIn: (response) => text(pick(response, 'choices', 0, 'message', 'content')),
    deltaIn: (event) => text(pick(event, 'choices', 0, 'delta', 'content')),
    errorIn: (piece) => pick(piece, 'error'),
  },
  messages: {
    path: () => '/v1/messages',
    credential: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: ({ text: content, ...request }) => ({ ...request, max_tokens: 1000, messages: [{ role: 'user', content }] }),
    textIn: (response) => joinText(pick(response, 'content')),
    deltaIn: (event) => text(pick(event, 'delta', 'text')),
    errorIn: (piece) => pick(piece, 'error'),
  },
  responses: {
    path: () => '/v1/responses',
    credential: bearer,
    body: ({ text: input, ...request }) => ({ ...request, input }),
    textIn: (response) =>
      list(pick(response, 'output'))
        .map((item) => joinText(pick(item, 'content')))
        .join(''),
    deltaIn: (event) => (pick(event, 'type') === 'response.output_text.delta' ? text(pick(event, 'delta')) : ''),
    errorIn: (piece) => {
      if (pick(piece, 'type') === 'error') return piece
      return pick(piece, 'error') ?? pick(piece, 'response', 'error') ?? undefined
    },
  },
  gemini: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    credential: (key) => ({ 'x-goog-api-key': key }),
    body: ({ text }) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    textIn: geminiText,
    deltaIn: geminiText,
    errorIn: (piece) => pick(piece, 'error'),
  },
}

export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as ProtocolName[]

function geminiText(piece: Json): string {
  return joinText(pick(piece, 'candidates', 0, 'content', 'parts'))
}

function joinText(parts: unknown): string {
  return list(parts)
    .map((part) => text(pick(part, 'text')))
    .join('')
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The value at a path inside a document; undefined if there is none. */
export function pick(document: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inside, step) => {
    return typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[step] : undefined
  }, document)
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
