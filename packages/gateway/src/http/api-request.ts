import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, type Language, preferredLanguage } from '@tidegate/contract'
import { type Dialect, DIALECTS, type RequestHead } from '@tidegate/dialects'
import type { CallerRecord, Catalog, Ports, RouteDecision, StepTimes } from '../ports/index.ts'
import { isAnthropicClient } from './credential.ts'
import { type Endpoint, findEndpoint } from './endpoints.ts'
import { ResponseWriter } from './response-writer.ts'

/** One request of a client, from its arrival to its last byte. */
export interface ApiRequest {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly endpoint: Endpoint
  /** The protocol of its responses and errors. */
  readonly dialect: Dialect
  readonly writer: ResponseWriter
  readonly clientAddress: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly language: Language
  /** Aborted when the client disconnects, or when the process stops. */
  readonly signal: AbortSignal
  /** Aborted when the process stops. */
  readonly stopped: AbortSignal
  /** The client's connection is closed. */
  clientDisconnected(): void
  stop(): void
  readonly known: KnownRequest
  /** The credential, once the request is authenticated. */
  access?: RequestAccess
  /** Access changed while the request was being authenticated. */
  needsRecheck: boolean
  /** Why the request was ended: its credential is no longer accepted. */
  readonly revokedBy: ApiError | undefined
  /** Aborts the request, as when the client disconnects. */
  revoke(failure: ApiError): void
}

/** What is known of a request so far: for the record of a rejection, for metrics, and for dry runs. */
export interface KnownRequest {
  caller?: CallerRecord
  group?: string
  model?: string
  /** Set once the model is known to be allowed. */
  request?: Pick<RequestHead, 'model' | 'dialect' | 'stream'>
  catalog?: Catalog
  promptTokens?: number
  timing?: StepTimes
  /** Set once channels are chosen. */
  routing?: { readonly decision: RouteDecision }
}

/** The credential of a running request. */
export interface RequestAccess {
  readonly userId: number
  readonly tokenHash?: string | undefined
  /** Why the credential is no longer accepted; undefined while it is. Throws when the check is not possible now. */
  check(): Promise<ApiError | undefined>
}

export function receiveRequest(
  ports: Pick<Ports, 'clientAddress' | 'now' | 'catalog'>,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): ApiRequest {
  const abort = new AbortController()
  const stopping = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  let revokedBy: ApiError | undefined
  const endpoint = findEndpoint(request.method ?? '', request.url ?? '', isAnthropicClient(request.headers))
  return {
    requestId,
    request,
    endpoint,
    dialect: DIALECTS[endpoint.protocol],
    writer: new ResponseWriter(response, headersOf(requestId, endpoint)),
    clientAddress: ports.clientAddress(request),
    startedAt: ports.now(),
    // Only errors have a language.
    get language() {
      return languageOf(ports, request.headers['accept-language'], endpoint)
    },
    signal: abort.signal,
    stopped: stopping.signal,
    clientDisconnected: () => abort.abort(),
    stop() {
      abort.abort()
      stopping.abort()
    },
    known: {},
    needsRecheck: false,
    get revokedBy() {
      return revokedBy
    },
    revoke(failure) {
      revokedBy ??= failure
      abort.abort()
    },
  }
}

function headersOf(requestId: string, { ofConsole, protocol }: Endpoint): Record<string, string> {
  return {
    'x-request-id': requestId,
    // The name that the SDKs of this protocol read.
    ...(protocol === 'anthropic-messages' && { 'request-id': requestId }),
    // Pages of other sites may use an API token, but not the session of a console user.
    ...(!ofConsole && ANY_ORIGIN),
  }
}

/** `Accept-Language`, then the language of the site. Without either, SDKs get English and the console Chinese. */
function languageOf(
  { catalog }: Pick<Ports, 'catalog'>,
  acceptLanguage: string | undefined,
  { ofConsole }: Endpoint,
): Language {
  const site = catalog().settings['general_setting.default_language']
  return preferredLanguage(acceptLanguage, site === 'auto' ? (ofConsole ? 'zh' : 'en') : site)
}

/** Any page may use an API token. Cookies are not accepted here, so no credentials are allowed. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

/** A CORS preflight request. */
export function isPreflight({ method }: Pick<IncomingMessage, 'method'>): boolean {
  return method === 'OPTIONS'
}

export function preflightHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  return {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    // A wildcard would not cover Authorization, so the requested headers are listed.
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '86400',
  }
}
