import { ApiError, logEvent } from '@tidegate/contract'
import {
  type CanonicalRequest,
  type CanonicalResponse,
  createDropCollector,
  createEventCollector,
  DialectError,
  type EventCollector,
  type PromptParts,
  type RequestHead,
  summaryRequest,
} from '@tidegate/dialects'
import { completionTokens, computeReceipt, promptTokens as tokensRead, type Usage } from '@tidegate/pricing'
import { UpstreamFailure } from '@tidegate/providers'
import {
  type Admission,
  type AuthenticatedRequest,
  type CreditNeed,
  type Entry,
  type GatewayContext,
  type RequestKind,
  withAdmission,
} from '../admit/admit.ts'
import { authenticateByToken } from '../admit/authenticate.ts'
import { authenticateSession, playgroundError } from '../admit/console-session.ts'
import { recordSuccess, type RequestRecord } from '../admit/observe-request.ts'
import { hidesReasoning, outputBoundOf, type ReservedCredit, reserveCredit } from '../admit/reserve-credit.ts'
import { createFailureHandler } from '../dispatch/failed-attempt.ts'
import { UpstreamAbort } from '../dispatch/upstream-abort.ts'
import { readConversationId } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { isFinal } from '../http/error-forms.ts'
import { requireField } from '../http/read-body.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { Caller, Catalog, RequestOutcome, Ports } from '../ports/index.ts'
import type { Route, RouteOptions } from '../route/route.ts'
import { createBilledUsage } from '../settle/billed-usage.ts'
import { flagChannel, tokenCeiling } from '../settle/plausible-usage.ts'
import { settlementOf, settleRequest } from '../settle/settle-request.ts'
import { chatContent, MAX_CHARACTERS } from './chat-content.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { ChatPlans } from './chat-plan.ts'
import { createCreditGuard } from './credit-guard.ts'
import { finishResponse, type LastBytes } from './finish-response.ts'
import { forwardResponse } from './forward-stream.ts'
import { canonicalSource, type CanonicalSource } from './inline-media.ts'
import { echoOf, resolveTurn, type ResponseTurn } from './response-turn.ts'
import { type ChatAttempt, listDropped, sendChat } from './send-chat.ts'
import { serveFast, type SentChat } from './serve-fast.ts'
import { rememberStored, storedForm, storeResponse } from './store-response.ts'
import { storesTurns } from './turn-format.ts'
import { createMeter, type Meter } from './usage-meter.ts'

type ChatEndpoint = Extract<Endpoint, { kind: 'chat' }>

const FIRST_PING_MS = 15_000
/** Pings are sent a little early: the interval is often set to the exact timeout of a proxy. */
const PING_EARLY = 0.9

interface ChatContext extends GatewayContext {
  /** Missing where every chat takes the general path. */
  readonly plansOf?: ((catalog: Catalog) => ChatPlans) | undefined
  /** Missing without a store of responses. */
  readonly background?: BackgroundResponses | undefined
}

/** Serves a chat: admits it, tries channels until one responds, forwards the response and settles its usage. */
export function serveChat(context: ChatContext, incoming: ApiRequest, endpoint: ChatEndpoint): Promise<RequestOutcome> {
  const kind = new ServedChat(context, incoming, endpoint)
  const admitAndServe = () =>
    withAdmission(context, incoming, kind, (admission) => {
      const { turn } = kind
      const run = () => serve(context, incoming, admission, { turn })
      if (!turn?.sent.isBackground || !context.background) return run()
      return context.background.run({ ...admission, turn, incoming }, run)
    })
  return storesTurns(endpoint.protocol) ? serveTurn(kind, admitAndServe) : admitAndServe()
}

async function serveTurn(kind: ServedChat, admitAndServe: () => Promise<RequestOutcome>): Promise<RequestOutcome> {
  try {
    return await admitAndServe()
  } catch (error) {
    if (!kind.continuesElsewhere(error)) throw error
    return admitAndServe()
  }
}

/** How chats differ from other kinds of requests. A class: most requests need few of its methods. */
export class ChatKind implements RequestKind<RequestHead> {
  readonly countsPrompt = true
  readonly ports: Ports
  readonly incoming: ApiRequest
  readonly endpoint: ChatEndpoint

  constructor(ports: Ports, incoming: ApiRequest, endpoint: ChatEndpoint) {
    this.ports = ports
    this.incoming = incoming
    this.endpoint = endpoint
  }

  authenticate(catalog: Catalog): Promise<AuthenticatedRequest<RequestHead>> {
    const { ports, incoming, endpoint } = this
    return endpoint.ofConsole
      ? authenticateSession(ports, incoming, catalog)
      : authenticateByToken(ports, incoming, endpoint, catalog)
  }

  prompt(request: RequestHead): PromptParts {
    return this.incoming.dialect.promptParts(request)
  }

  routeOptions(request: RequestHead): Pick<RouteOptions, 'conversation' | 'stored'> {
    return {
      conversation: readConversationId(this.incoming.request.headers, request),
      stored: request.stored,
    }
  }

  reserve({ caller, ...need }: CreditNeed<RequestHead>): ReservedCredit | Promise<ReservedCredit> {
    const { ports, incoming } = this
    return reserveCredit(ports, incoming.requestId, caller, {
      ...need,
      prompt: () => incoming.dialect.promptParts(need.request),
    })
  }

  translateError(error: unknown): unknown {
    return this.endpoint.ofConsole ? playgroundError(this.incoming.known, error) : error
  }
}

/** A chat that tries the fast path first. */
class ServedChat extends ChatKind {
  /** Of a protocol with stored turns, once the body is read. */
  turn: ResponseTurn | undefined = undefined
  readonly #context: ChatContext
  /** The body, where it is read already. */
  #head: RequestHead | undefined = undefined
  #fromStore = false

  constructor(context: ChatContext, incoming: ApiRequest, endpoint: ChatEndpoint) {
    super(context.ports, incoming, endpoint)
    this.#context = context
  }

  override authenticate(catalog: Catalog): Promise<AuthenticatedRequest<RequestHead>> {
    const authenticating = super.authenticate(catalog)
    return storesTurns(this.endpoint.protocol) ? this.#withTurn(authenticating, catalog) : authenticating
  }

  async #withTurn(
    authenticating: Promise<AuthenticatedRequest<RequestHead>>,
    catalog: Catalog,
  ): Promise<AuthenticatedRequest<RequestHead>> {
    const authenticated = await authenticating
    const store = this.ports.responses
    const { health } = this.#context
    return {
      ...authenticated,
      readRequest: async () => {
        this.#head ??= await authenticated.readRequest()
        if (!store) {
          requireField(!this.#head.isBackground, 'background needs a store of responses, which this site does not have')
          return this.#head
        }
        this.turn = await resolveTurn(
          { store, conversations: this.ports.conversations, affinity: health.affinity },
          this.#head,
          {
            caller: authenticated.caller,
            settings: catalog.settings,
            requestId: this.incoming.requestId,
            fromStore: this.#fromStore,
          },
        )
        return this.turn.request
      },
    }
  }

  /** Whether the account that stores a response failed, so that our copy is continued on any channel. */
  continuesElsewhere(error: unknown): boolean {
    if (!this.turn?.usesAccount || this.#fromStore || this.incoming.isAborted || !isAccountFailure(error)) return false
    this.#fromStore = true
    return true
  }

  serveFast(entry: Entry<RequestHead>): Promise<RequestOutcome | undefined> | undefined {
    const { protocol, ofConsole } = this.endpoint
    const { plansOf } = this.#context
    if (!plansOf || ofConsole || protocol !== 'openai-chat') return undefined
    return serveFast(this.#context, plansOf(entry.catalog), this, entry)
  }

  /** From the first attempt on. */
  serveAdmitted(admission: Admission<RequestHead>, sent?: SentChat): Promise<RequestOutcome> {
    return serve(this.#context, this.incoming, admission, { sent })
  }
}

/** The account cannot continue what it stored, or does not know it any more. The request itself is valid. */
function isAccountFailure(error: unknown): boolean {
  if (error instanceof UpstreamFailure) {
    const { status, error: shown, cause } = error
    const original = cause instanceof UpstreamFailure ? cause.error : shown
    return !isFinal(status) || status === 404 || original.code === 'previous_response_not_found'
  }
  // The remaining channel has another protocol.
  if (error instanceof DialectError) return error.code === 'cannot_express'
  return error instanceof ApiError && (error.code === 'stored_response_unavailable' || error.status >= 500)
}

interface ServeOptions {
  readonly sent?: SentChat | undefined
  readonly turn?: ResponseTurn | undefined
}

async function serve(
  { ports, health }: GatewayContext,
  incoming: ApiRequest,
  admission: Admission<RequestHead>,
  { sent, turn }: ServeOptions,
): Promise<RequestOutcome> {
  const { catalog, settings, caller, group, request, promptTokens, plan, reservation, outputLimit, rateLimits } =
    admission
  const startedAt = new Date(incoming.startedAt)
  const prompt = () => incoming.dialect.promptParts(request)
  if (outputLimit) incoming.writer.addHeaders({ 'x-tidegate-output-limit': String(outputLimit.tokens) })
  if (turn?.isTooLarge) incoming.writer.addHeaders({ 'x-tidegate-not-stored': 'too_large' })
  const abort = sent?.abort ?? new UpstreamAbort(incoming, settings['billing.disconnect_read_seconds'] * 1000)
  try {
    if (request.stream && settings['general_setting.ping_interval_enabled']) {
      const everyMs = settings['general_setting.ping_interval_seconds'] * 1000 * PING_EARLY
      incoming.writer.keepAlive({ frame: incoming.dialect.pingFrame, everyMs, firstMs: FIRST_PING_MS })
    }
    const sourced = (of: RequestHead) => canonicalSource(incoming.dialect, of, ports.fetchMedia)
    const summarized = request.compaction && summaryRequest(request)
    const summary = summarized && { request: summarized, canonical: sourced(summarized) }
    const original = sourced(request)
    const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
    const options = {
      request,
      canonical: original,
      summary,
      plan,
      attempts: admission.attempts,
      abort,
      begun: sent?.begun,
      ...(outputLimit && { outputLimit: outputLimit.tokens }),
    }
    const known = { incoming, caller, group, request, timing: admission.timing, outputLimit }
    let attempt: ChatAttempt
    try {
      attempt = await sendChat({ ports, catalog, acquireKey: health.acquireKey, onFailure: failed }, incoming, options)
    } catch (error) {
      if (!abort.billedBy) throw error
      const usage = await createMeter({ model: request.model, prompt, promptTokens }).total()
      await settleRequest(
        reservation,
        settlementOf(
          ports,
          { ...known, decision: plan.decision, attempt: abandonedAttempt(abort.billedBy, ports, incoming) },
          usage,
        ),
      )
      if (rateLimits) await rateLimits.commit(tokensRead(usage))
      return 'client-gone'
    }
    const canonical = attempt.summarizes ? summary!.canonical : original
    if (attempt.stripped?.length) incoming.writer.addHeaders({ 'x-tidegate-stripped': attempt.stripped.join(', ') })
    addDroppedHeader(incoming, attempt.dropped)
    rememberStored(health.affinity, { request, attempt, userId: caller.userId })
    abort.markResponded({ hidesReasoning: hidesReasoning(attempt.route.model, request) })
    try {
      const { model } = attempt.route
      const meter = createMeter({ model, prompt, promptTokens, maxTokens: tokenCeiling(model, request) })
      // Read now: the decision is that of the group which served.
      const served = { ...known, decision: plan.decision, attempt }
      const billed = createBilledUsage(request, attempt, startedAt)
      const isConverted = attempt.chatApi.dialect !== request.dialect
      const drops = isConverted ? createDropCollector(request.dialect) : undefined
      const droppedForClient = () => drops && listDropped(drops.names())
      const settlementFor = (usage: Usage, isInterrupted = false) =>
        settlementOf(
          ports,
          { ...served, implausible: meter.implausible, isInterrupted, droppedForClient: droppedForClient() },
          billed(usage),
        )
      const costFor = (usage: Usage) => computeReceipt(attempt.route.price, billed(usage), startedAt).quota
      const outputBound = outputBoundOf(model, request, outputLimit)
      const createGuard = () =>
        createCreditGuard({ reservation, meter, outputBound, costFor, settlementFor, now: ports.now })
      const context = (decoded?: CanonicalRequest) => ({
        requestId: incoming.requestId,
        model: request.model,
        createdAt: Math.floor(incoming.startedAt / 1000),
        includeUsage: request.includeUsage,
        request: decoded ?? canonical.original(),
        echo: turn && echoOf(turn),
      })
      const stored =
        turn?.stores || turn?.conversationId !== undefined
          ? { turn, form: storedForm(incoming, request, attempt) }
          : undefined
      // The last event of an interaction has no steps.
      const isCollected = stored && request.stream && incoming.dialect.id === 'gemini-interactions'
      const collector = isCollected ? createEventCollector() : undefined
      const metered = collector ? collecting(meter, collector) : meter
      const response = await forwardResponse(ports, {
        incoming,
        request,
        attempt,
        context,
        meter: metered,
        dropped: drops,
        createGuard,
      })
      if (response.kind === 'converted') addDroppedHeader(incoming, attempt.dropped, droppedForClient())

      const usage = await meter.total()
      const isInterrupted = response.kind === 'stream' && response.end.kind !== 'complete'
      const settlement = settlementFor(usage, isInterrupted)
      await settleRequest(reservation, settlement)
      if (meter.implausible) flagChannel(ports, attempt.route, { reported: meter.implausible, counted: usage })
      if (settings.LogChatContentEnabled) recordContent(ports, incoming, caller, canonical, meter)
      recordSuccess(ports, incoming, served, usage)
      // Before the last bytes: a client that has them may send its next request at once.
      if (rateLimits) await rateLimits.commit(tokensRead(usage) + completionTokens(usage))
      // A request that is passed through may have what only its provider knows, so it cannot be decoded.
      const isPassedThrough = attempt.chatApi.dialect === request.dialect
      const encode = (whole: CanonicalResponse) =>
        incoming.dialect.encodeResponse(whole, usage, context(isPassedThrough ? SHOWS_THOUGHTS : undefined))
      const collected = collector && (() => encode(collector.response()))
      const onComplete =
        stored &&
        ((last: LastBytes) => storeResponse(ports, { ...stored, incoming, caller, settings, collected }, last))
      return await finishResponse(incoming, { response, attempt, settings, usage, onComplete })
    } finally {
      attempt.lease.end()
    }
  } finally {
    abort.end()
  }
}

/** Names what the provider did not receive, and what of its response the client does not receive. */
function addDroppedHeader(
  { writer }: Pick<ApiRequest, 'writer'>,
  ofRequest: readonly string[] = [],
  ofResponse: readonly string[] = [],
): void {
  const names = [...ofRequest, ...ofResponse.map((name) => `response: ${name}`)]
  if (names.length > 0) writer.addHeaders({ 'x-tidegate-dropped': names.join(', ') })
}

function collecting(meter: Meter, collector: EventCollector): Pick<Meter, 'add'> {
  return {
    add(event) {
      collector.add(event)
      meter.add(event)
    },
  }
}

/** Nothing in the response is hidden from the client. */
const SHOWS_THOUGHTS: CanonicalRequest = {
  model: '',
  stream: true,
  messages: [],
  tools: [],
  reasoning: { visible: true },
}

/** An attempt whose client left before anything of the response was read. */
function abandonedAttempt(
  route: Route,
  { now }: Pick<Ports, 'now'>,
  { startedAt }: ApiRequest,
): RequestRecord['attempt'] {
  const milliseconds = now() - startedAt
  const tried = [{ channel: route.channel.id, dialect: '', milliseconds, reason: 'client disconnected' }]
  return { route, tried, firstContentAt: now(), opening: { kind: 'whole' } }
}

/** Records the content where the operator enables that. A failure to do so does not fail the request. */
function recordContent(
  ports: Ports,
  { requestId }: ApiRequest,
  { userId }: Caller,
  canonical: CanonicalSource,
  meter: Meter,
) {
  try {
    const content = chatContent(canonical.original(), meter.text(MAX_CHARACTERS + 1))
    ports.recordContent?.({ requestId, userId, ...content })
  } catch (error) {
    logEvent(ports.log, 'request.content_not_recorded', { err: error, requestId })
  }
}
