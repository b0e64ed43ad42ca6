import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, type LocalizedText, type Settings, logEvent, type ProbeResult } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import type { WebSocket } from 'ws'
import { authenticateRequest } from './admit/authenticate.ts'
import { reserveRateLimits } from './admit/rate-limits.ts'
import { createRejectionSampler, recordRejection } from './admit/record-rejection.ts'
import { serveBatch } from './batches/batch-endpoints.ts'
import { serveFile } from './batches/file-endpoints.ts'
import type { SubmissionWork } from './batches/prepare-batch.ts'
import { type RunningBatches, runBatches } from './batches/run-batches.ts'
import { createLineServer } from './batches/serve-line.ts'
import { ChatPlans } from './chat/chat-plan.ts'
import { countPrompt } from './chat/count-prompt.ts'
import { serveChat } from './chat/serve-chat.ts'
import { BackgroundResponses } from './chat/background-responses.ts'
import { serveConversation } from './chat/conversation-endpoints.ts'
import { serveResponsesSocket } from './chat/responses-socket.ts'
import { isStreamRequest, resumeStream } from './chat/resume-stream.ts'
import { serveStoredResponse } from './chat/stored-response-endpoints.ts'
import { type ChannelMinute, createHealth } from './health/health.ts'
import { type ApiRequest, isPreflight, preflightHeaders, receiveRequest } from './http/api-request.ts'
import { type Endpoint, findEndpoint, isGatewayPath, isGatewayRequest } from './http/endpoints.ts'
import { sendError } from './http/error-response.ts'
import { EventWriter } from './http/event-writer.ts'
import { type AccessChange, OpenRequests } from './http/open-requests.ts'
import { type Audience, showModel, showModels } from './models/list-models.ts'
import { showSubscription, showUsage } from './models/show-billing.ts'
import { serveOperation } from './operations/serve-operation.ts'
import type { Batch, Catalog, RequestOutcome, Ports, SubmittedBatch } from './ports/index.ts'
import { type ProbeRequest, probeChannel } from './probe/probe-channel.ts'
import { embeds } from './probe/probe-embeddings.ts'
import { advanceSubmission } from './provider-batches/advance-submission.ts'
import { planSubmission } from './provider-batches/plan-submission.ts'
import { acceptClient } from './realtime/client-socket.ts'
import { serveRealtime } from './realtime/serve-realtime.ts'
import { explainRoutes, type RouteExplanation, type RouteQuestion } from './route/explain-routes.ts'
import { createRouter } from './route/route-plan.ts'
import { createShadow } from './shadow/serve-shadow.ts'
import { serveTask } from './tasks/serve-task.ts'

export interface Gateway {
  /** Whether a request is one of the data plane. */
  matches(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean
  /** Serves one request. Never throws: errors are sent to the client, and logged when the gateway is at fault. */
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>
  /** Whether a request opens a realtime session. Every other upgrade offer is ignored, as RFC 9110 allows. */
  acceptsUpgrade(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean
  /** Serves a realtime session. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void>
  /** Sends a request to one channel as a client would, without a client and without billing. */
  probe(probe: ProbeRequest): Promise<ProbeResult>
  /** Explains which channels would serve a chat or an embedding. Sends nothing. */
  explainRoutes(question: Omit<RouteQuestion, 'operation'>): RouteExplanation
  /** Returns the results of channels by minute, since the last call. */
  takeMetrics(): readonly ChannelMinute[]
  /** Records how many rejected requests were only counted: those older than the summary interval, or all of them. */
  countRejections(all?: boolean): void
  openRequests(): number
  /** Runs batches in this process until it is stopped. */
  runBatches(): RunningBatches
  /** Circuits that are open. */
  openCircuits(): number
  /** Ends the open requests of a user or token whose access was revoked. Called for change notifications. */
  recheck(change: AccessChange): Promise<void>
  /** Rechecks all open requests: periodically, and after notifications may have been missed. */
  recheckAll(): Promise<void>
  /**
   * Resolves when no request is open. Requests still open at the deadline are ended, and settled for what they used.
   */
  drain(deadlineMs: number): Promise<void>
}

type ObservedEndpoint = Extract<
  Endpoint,
  {
    kind:
      | 'count-tokens'
      | 'list-models'
      | 'one-model'
      | 'billing'
      | 'stored-response'
      | 'conversation'
      | 'file'
      | 'batch'
  }
>

export interface GatewayOptions {
  /** Whether plain chats are forwarded without being parsed. True by default. */
  readonly fastPath?: boolean | undefined
}

/** The data plane over plain HTTP objects. */
export function createGateway(ports: Ports, { fastPath = true }: GatewayOptions = {}): Gateway {
  const health = createHealth({ now: ports.now, exchange: ports.routingState })
  const router = createRouter({ health, random: ports.random })
  const serveShadow = createShadow({ ports, health })
  const open = new OpenRequests(ports.log)
  let plans: ChatPlans | undefined
  /** A request uses the plans of its own catalog, also when a newer one is in use. */
  const plansOf = (catalog: Catalog): ChatPlans => {
    if (plans?.catalog !== catalog) plans = new ChatPlans(catalog, ports)
    return plans
  }
  const background = ports.responses && new BackgroundResponses(ports.responses, ports)
  const chats = { ports, router, health, background, plansOf: fastPath ? plansOf : undefined }
  const sampler = createRejectionSampler({ now: ports.now, write: (row) => ports.recordError?.(row) })

  async function serve(incoming: ApiRequest): Promise<RequestOutcome> {
    const { endpoint } = incoming
    if (endpoint.kind === 'chat') return serveChat(chats, incoming, endpoint)
    if (endpoint.kind === 'task') return serveTask({ ports, router, health }, incoming, endpoint.action)
    if (endpoint.kind === 'operation') return serveOperation({ ports, router, health }, incoming, endpoint)
    if (endpoint.kind === 'shadow') return serveShadow(incoming, endpoint)
    // Requested without a WebSocket upgrade.
    if (endpoint.kind === 'realtime') throw new ApiError('invalid_text_request', { reason: 'a websocket is needed' })
    if (endpoint.kind === 'responses-socket') throw new ApiError('websocket_not_supported')
    if (endpoint.kind === 'not-implemented') throw new ApiError('api_not_implemented')
    const catalog = ports.catalog()
    if (endpoint.kind === 'unknown' || endpoint.kind === 'wrong-base') {
      const { method = '', url = '' } = incoming.request
      const path = url.replace(/[?#].*$/, '').slice(0, MAX_PATH_LENGTH)
      if (endpoint.kind === 'unknown') throw new ApiError('not_found', { method, path })
      throw new ApiError('wrong_base_url', { method, path, base: baseUrl(catalog.settings, endpoint.version) })
    }
    const audience = { catalog, ...(await authenticateRequest(ports, incoming, catalog.settings)) }
    if (isStreamRequest(incoming, endpoint) && ports.responses) {
      await resumeStream(ports.responses, incoming, endpoint, audience.caller)
      return 'served'
    }
    const body = await show(incoming, endpoint, audience)
    if (body) incoming.writer.sendJson(200, body)
    return 'served'
  }

  /** Responses over a WebSocket. The handshake is authenticated, and each request again. */
  async function serveSocket(incoming: ApiRequest, accept: () => Promise<WebSocket>): Promise<RequestOutcome> {
    await authenticateRequest(ports, incoming, ports.catalog().settings)
    const socket = await accept()
    let count = 0
    await serveResponsesSocket(socket, incoming, {
      now: ports.now,
      serve(request, body, sink) {
        count += 1
        const created = receiveRequest(ports, request, new ServerResponse(request), `${incoming.requestId}-${count}`)
        const writer = new EventWriter(sink)
        created.continueWithoutClient(writer)
        created.body = body
        const abort = () => {
          writer.abandon()
          created.clientDisconnected()
        }
        return { done: open.track(created, respond(created, serve(created))), abort }
      },
    })
    return 'served'
  }

  /** Endpoints without charge. */
  async function show(
    incoming: ApiRequest,
    endpoint: ObservedEndpoint,
    audience: Audience,
  ): Promise<object | undefined> {
    switch (endpoint.kind) {
      case 'count-tokens':
        return countPrompt({ ports, router, health }, incoming, endpoint, audience)
      case 'list-models':
        return showModels(endpoint.protocol, audience)
      case 'one-model':
        return showModel(endpoint.protocol, audience, endpoint.model)
      case 'stored-response':
        if (!ports.responses || !background) throw new ApiError('api_not_implemented')
        return serveStoredResponse({ store: ports.responses, background }, incoming, endpoint, audience.caller)
      case 'conversation': {
        const store = ports.conversations
        if (!store) throw new ApiError('api_not_implemented')
        const { caller, catalog } = audience
        return limited(incoming, audience, () =>
          serveConversation(store, endpoint, { incoming, caller, settings: catalog.settings }),
        )
      }
      case 'file': {
        const { files } = ports
        if (!files) throw new ApiError('api_not_implemented')
        return limited(incoming, audience, () =>
          serveFile({ credit: ports.credit, files }, endpoint, { incoming, ...audience }),
        )
      }
      case 'batch': {
        const { files, batches } = ports
        if (!files || !batches) throw new ApiError('api_not_implemented')
        return limited(incoming, audience, () =>
          serveBatch({ credit: ports.credit, files, batches }, endpoint, { incoming, ...audience }),
        )
      }
      case 'billing': {
        const { caller, catalog } = audience
        if (!ports.accounts) throw new ApiError('api_not_implemented')
        const amounts = await ports.accounts.amountsOf(caller)
        const show = endpoint.report === 'usage' ? showUsage : showSubscription
        return show({ caller, amounts, settings: catalog.settings })
      }
    }
  }

  /** Objects of users take space in the database, so their requests count against the limits of the caller. */
  async function limited(
    incoming: ApiRequest,
    { caller, group, catalog: { settings } }: Audience,
    serveLimited: () => Promise<object | undefined>,
  ): Promise<object | undefined> {
    const rateLimits = await reserveRateLimits(ports, incoming, { caller, group, settings })
    try {
      const body = await serveLimited()
      await rateLimits?.commit(0)
      return body
    } finally {
      await rateLimits?.rollback()
    }
  }

  async function respond(incoming: ApiRequest, serving: Promise<RequestOutcome>): Promise<void> {
    let status = 200
    let outcome: RequestOutcome
    try {
      outcome = await serving
    } catch (error) {
      const failed = fail(incoming, error)
      status = failed.status
      outcome = failed.outcome
    }
    if (incoming.revokedBy) {
      status = incoming.revokedBy.status
      outcome = 'interrupted'
    }
    if (incoming.endpoint.kind === 'shadow') return // not a request of this site, so it is not in the metrics
    ports.observe?.({ kind: 'request', outcome, status, milliseconds: ports.now() - incoming.startedAt })
  }

  function fail(incoming: ApiRequest, error: unknown): { status: number; outcome: RequestOutcome } {
    if (incoming.writer.isClosed) return { status: 499, outcome: 'client-gone' }
    // Aborted while the client is connected: the process is stopping.
    const shown = incoming.isAborted ? new ApiError('service_unavailable') : error
    const { status } = sendErrorSafely(incoming, shown)
    recordRejection({ ports, sampler }, incoming, { failure: shown, status })
    if (error instanceof UpstreamFailure) return { status, outcome: 'failed' }
    if (status < 500) return { status, outcome: 'refused' }
    logEvent(ports.log, 'request.failed', { err: error, requestId: incoming.requestId })
    return { status, outcome: 'failed' }
  }

  /** An error while the error response is written must not crash the process. */
  function sendErrorSafely(incoming: ApiRequest, error: unknown): { status: number } {
    try {
      return sendError(incoming, error)
    } catch (cause) {
      return sendError(incoming, new ApiError('internal_error', {}, { cause }))
    }
  }

  return {
    matches: isGatewayRequest,
    async handle(request, response, requestId) {
      const incoming = receiveRequest(ports, request, response, requestId)
      if (isPreflight(request) && !incoming.endpoint.ofConsole) {
        incoming.writer.openRaw(204, preflightHeaders(request))
        incoming.writer.end('')
        return
      }
      await open.track(incoming, respond(incoming, serve(incoming)))
    },
    acceptsUpgrade: ({ method = '', url = '', headers }) =>
      headers.upgrade?.toLowerCase() === 'websocket' &&
      isGatewayPath(url) &&
      SOCKET_KINDS.has(findEndpoint(method, url).kind),
    async upgrade(request, socket, head, requestId) {
      // The HTTP server no longer handles errors of this socket.
      socket.on('error', () => socket.destroy())
      // For rejected requests: the response is written, and the socket is closed after it. Accepted requests do not use
      // it.
      const response = new ServerResponse(request)
      response.once('finish', () => socket.end())
      response.assignSocket(socket as Socket)
      response.shouldKeepAlive = false
      const incoming = receiveRequest(ports, request, response, requestId)
      socket.once('close', () => incoming.clientDisconnected())
      const accept = () => {
        response.detachSocket(socket as Socket)
        incoming.writer.detach()
        return acceptClient(request, socket, head)
      }
      const serving =
        incoming.endpoint.kind === 'realtime'
          ? serveRealtime({ ports, router, health }, incoming, accept)
          : serveSocket(incoming, accept)
      await open.track(incoming, respond(incoming, serving))
    },
    probe: (probe) => probeChannel({ ports, health }, probe),
    explainRoutes: (question) =>
      explainRoutes(
        { catalog: ports.catalog(), health },
        { ...question, ...(embeds(question.model, undefined) && { operation: 'embeddings' }) },
      ),
    takeMetrics: () => health.metrics.take(),
    countRejections: (all) => sampler.flush(all),
    openRequests: () => open.size,
    runBatches() {
      const { files, batches: queue, log, now } = ports
      if (!files || !queue) throw new Error('there is no store of batches')
      const track = (line: ApiRequest) => open.track(line, respond(line, serve(line)))
      const serveLine = createLineServer(ports, track)
      const providers = {
        plan: (batch: Batch, keepLease: () => Promise<void>) =>
          planSubmission({ ports, router, health }, batch, keepLease),
        advance: (batch: SubmittedBatch, work: SubmissionWork) => advanceSubmission(ports, batch, work),
      }
      return runBatches({ queue, files, log, now, settings: () => ports.catalog().settings, providers, serveLine })
    },
    openCircuits: health.openCircuits,
    recheck: (change) => open.recheck(change),
    recheckAll: () => open.recheckAll(),
    async drain(deadlineMs) {
      const timer = setTimeout(() => open.stop(), deadlineMs)
      await open.waitForEnd()
      clearTimeout(timer)
    },
  }
}

const SOCKET_KINDS = new Set<Endpoint['kind']>(['realtime', 'responses-socket'])
const MAX_PATH_LENGTH = 200

/** The correct base URL for a client; a description while the operator has not set the address of the site. */
function baseUrl({ ServerAddress }: Pick<Settings, 'ServerAddress'>, version: string): string | LocalizedText {
  if (ServerAddress !== '') return ServerAddress.replace(/\/+$/, '') + version
  return { zh: `本站地址加 ${version}`, en: `the address of this site followed by ${version}` }
}
