import type { IncomingMessage, ServerResponse } from 'node:http'
import { preferredLanguage, type Language } from '@tidegate/contract'
import { DIALECTS, type Dialect } from '@tidegate/dialects'
import type { Ports } from '../ports.ts'
import { Reply } from '../reply.ts'
import { ANY_ORIGIN } from './cors.ts'
import { isAnthropicClient } from './credential.ts'
import { findEndpoint, type Endpoint } from './endpoints.ts'

/** One request of a client, from its arrival to its last byte. */
export interface Call {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly endpoint: Endpoint
  /** What its answers and refusals are written in. */
  readonly dialect: Dialect
  readonly reply: Reply
  readonly clientAddress: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly language: Language
  /** Aborted when the client leaves, or when the process can wait no longer. */
  readonly signal: AbortSignal
  /** Aborted when the process can wait no longer. */
  readonly stopped: AbortSignal
  stop(): void
}

export function receiveCall(
  ports: Pick<Ports, 'clientAddress' | 'now'>,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Call {
  const abort = new AbortController()
  const stopping = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  const endpoint = findEndpoint(request.method ?? '', request.url ?? '', isAnthropicClient(request.headers))
  return {
    requestId,
    request,
    endpoint,
    dialect: DIALECTS[endpoint.protocol],
    reply: new Reply(response, headersOf(requestId, endpoint)),
    clientAddress: ports.clientAddress(request),
    startedAt: ports.now(),
    language: languageOf(request.headers['accept-language'], endpoint),
    signal: abort.signal,
    stopped: stopping.signal,
    stop() {
      abort.abort()
      stopping.abort()
    },
  }
}

/** A session must not be used by pages of other sites; keys are whose page it is. */
function headersOf(requestId: string, { ofConsole }: Endpoint): Record<string, string> {
  return ofConsole ? { 'x-request-id': requestId } : { 'x-request-id': requestId, ...ANY_ORIGIN }
}

/** Programs rarely say what they read; English is what their logs expect. */
function languageOf(acceptLanguage: string | undefined, { ofConsole }: Endpoint): Language {
  const isSaid = ofConsole || (acceptLanguage && /\bzh\b/i.test(acceptLanguage))
  return isSaid ? preferredLanguage(acceptLanguage) : 'en'
}
