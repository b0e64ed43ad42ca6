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
  /** The client disconnected, or the process stops. */
  readonly isAborted: boolean
  /** Aborted with `isAborted`. Created on first use: few requests need one. */
  readonly signal: AbortSignal
  /** Aborted when the process stops. */
  readonly stopped: AbortSignal
  /** Called when the request is aborted. */
  watcher: AbortWatcher | undefined
  /**
   * The request goes on when its client disconnects, and is written to `writer`. Returns the writer to the client.
   */
  continueWithoutClient(writer: ResponseWriter): ResponseWriter
  /** The client's connection is closed. */
  clientDisconnected(): void
  stop(): void
  readonly known: KnownRequest
  /** The body, where it is read already. */
  body?: Buffer | undefined
  /** The line of a batch that the request stands for. Its sender was authenticated when the batch was created. */
  batchLine?: BatchLineRequest | undefined
  /** The credential, once the request is authenticated. */
  access?: RequestAccess | undefined
  /** Access changed while the request was being authenticated. */
  needsRecheck: boolean
  /** Why the request was ended: its credential is no longer accepted. */
  readonly revokedBy: ApiError | undefined
  /** Aborts the request, as when the client disconnects. */
  revoke(failure: ApiError): void
}

export interface BatchLineRequest {
  readonly batchId: string
  readonly number: number
  readonly tokenId: number
}

/** Aborts the upstream requests of a request. */
export interface AbortWatcher {
  requestAborted(): void
  /** Follows `requestAborted` when the process stops. */
  requestStopped(): void
}

/** What is known of a request so far: for the record of a rejection, for metrics, and for dry runs. */
export interface KnownRequest {
  caller?: CallerRecord | undefined
  group?: string | undefined
  model?: string | undefined
  /** Set once the model is known to be allowed. */
  request?: Pick<RequestHead, 'model' | 'dialect' | 'stream'> | undefined
  catalog?: Catalog | undefined
  promptTokens?: number | undefined
  timing?: StepTimes | undefined
  /** Set once channels are chosen. */
  routing?: { readonly decision: RouteDecision } | undefined
}

/** The credential of a running request. */
export interface RequestAccess {
  readonly userId: number
  readonly tokenHash?: string | undefined
  /** Why the credential is no longer accepted; undefined while it is. Throws when the check is not possible now. */
  check(): Promise<ApiError | undefined>
}

type ReceiverPorts = Pick<Ports, 'clientAddress' | 'now' | 'catalog'>

export function receiveRequest(
  ports: ReceiverPorts,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): ApiRequest {
  return new ReceivedRequest(ports, request, response, requestId)
}

/** All fields are set here, so that the objects of all requests have the same shape. */
class ReceivedRequest implements ApiRequest {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly endpoint: Endpoint
  readonly dialect: Dialect
  writer: ResponseWriter
  readonly clientAddress: string
  readonly startedAt: number
  readonly known: KnownRequest = new Known()
  body: Buffer | undefined = undefined
  batchLine: BatchLineRequest | undefined = undefined
  access: RequestAccess | undefined = undefined
  needsRecheck = false
  isAborted = false
  revokedBy: ApiError | undefined = undefined
  watcher: AbortWatcher | undefined = undefined
  readonly #ports: ReceiverPorts
  #isStopped = false
  #needsClient = true
  #abort: AbortController | undefined = undefined
  #stopping: AbortController | undefined = undefined

  constructor(ports: ReceiverPorts, request: IncomingMessage, response: ServerResponse, requestId: string) {
    this.#ports = ports
    this.requestId = requestId
    this.request = request
    this.endpoint = findEndpoint(request.method ?? '', request.url ?? '', isAnthropicClient(request.headers))
    this.dialect = DIALECTS[this.endpoint.protocol]
    this.writer = new ResponseWriter(response, headersOf(requestId, this.endpoint))
    this.clientAddress = ports.clientAddress(request)
    this.startedAt = ports.now()
    response.on('close', () => {
      if (!response.writableFinished && this.#needsClient) this.clientDisconnected()
    })
  }

  /** Only errors have a language. */
  get language(): Language {
    return languageOf(this.#ports, this.request.headers['accept-language'], this.endpoint)
  }

  get signal(): AbortSignal {
    this.#abort ??= controllerOf(this.isAborted)
    return this.#abort.signal
  }

  get stopped(): AbortSignal {
    this.#stopping ??= controllerOf(this.#isStopped)
    return this.#stopping.signal
  }

  continueWithoutClient(writer: ResponseWriter): ResponseWriter {
    const toClient = this.writer
    this.writer = writer
    this.#needsClient = false
    return toClient
  }

  clientDisconnected(): void {
    if (this.isAborted) return
    this.isAborted = true
    this.watcher?.requestAborted()
    this.#abort?.abort()
  }

  stop(): void {
    this.clientDisconnected()
    if (this.#isStopped) return
    this.#isStopped = true
    this.watcher?.requestStopped()
    this.#stopping?.abort()
  }

  revoke(failure: ApiError): void {
    this.revokedBy ??= failure
    this.clientDisconnected()
  }
}

function controllerOf(isAborted: boolean): AbortController {
  const controller = new AbortController()
  if (isAborted) controller.abort()
  return controller
}

class Known implements KnownRequest {
  caller: KnownRequest['caller'] = undefined
  group: KnownRequest['group'] = undefined
  model: KnownRequest['model'] = undefined
  request: KnownRequest['request'] = undefined
  catalog: KnownRequest['catalog'] = undefined
  promptTokens: KnownRequest['promptTokens'] = undefined
  timing: KnownRequest['timing'] = undefined
  routing: KnownRequest['routing'] = undefined
}

/** Names and values in turn, as Node takes them without a copy. */
function headersOf(requestId: string, { ofConsole, protocol }: Endpoint): string[] {
  const headers = ['x-request-id', requestId]
  // The name that the SDKs of this protocol read.
  if (protocol === 'anthropic-messages') headers.push('request-id', requestId)
  // Pages of other sites may use an API token, but not the session of a console user. Cookies are not accepted here, so
  // no credentials are allowed.
  if (!ofConsole) headers.push('access-control-allow-origin', '*', 'access-control-expose-headers', '*')
  return headers
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
