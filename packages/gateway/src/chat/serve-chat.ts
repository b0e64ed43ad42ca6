import { logEvent } from '@tidegate/contract'
import type { PromptParts, RequestHead } from '@tidegate/dialects'
import { completionTokens, computeReceipt, promptTokens as tokensRead, type Usage } from '@tidegate/pricing'
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
import { keyIdOf } from '../health/channel-keys.ts'
import { readConversationId, type SessionAffinity } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { Caller, Catalog, RequestOutcome, Ports } from '../ports/index.ts'
import type { Route, RouteOptions } from '../route/route.ts'
import { createBilledUsage } from '../settle/billed-usage.ts'
import { flagChannel, tokenCeiling } from '../settle/plausible-usage.ts'
import { settlementOf, settleRequest } from '../settle/settle-request.ts'
import { chatContent, MAX_CHARACTERS } from './chat-content.ts'
import type { ChatPlans } from './chat-plan.ts'
import { createCreditGuard } from './credit-guard.ts'
import { finishResponse } from './finish-response.ts'
import type { OpenedResponse } from './first-content.ts'
import { forwardResponse } from './forward-stream.ts'
import { canonicalSource, type CanonicalSource } from './inline-media.ts'
import { type ChatAttempt, sendChat } from './send-chat.ts'
import { serveFast, type SentChat } from './serve-fast.ts'
import { createMeter, type Meter } from './usage-meter.ts'

type ChatEndpoint = Extract<Endpoint, { kind: 'chat' }>

const FIRST_PING_MS = 15_000
/** Pings are sent a little early: the interval is often set to the exact timeout of a proxy. */
const PING_EARLY = 0.9

interface ChatContext extends GatewayContext {
  /** Missing where every chat takes the general path. */
  readonly plansOf?: ((catalog: Catalog) => ChatPlans) | undefined
}

/** Serves a chat: admits it, tries channels until one responds, forwards the response and settles its usage. */
export function serveChat(context: ChatContext, incoming: ApiRequest, endpoint: ChatEndpoint): Promise<RequestOutcome> {
  return withAdmission(context, incoming, new ServedChat(context, incoming, endpoint), (admission) =>
    serve(context, incoming, admission),
  )
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
  readonly #context: ChatContext

  constructor(context: ChatContext, incoming: ApiRequest, endpoint: ChatEndpoint) {
    super(context.ports, incoming, endpoint)
    this.#context = context
  }

  serveFast(entry: Entry<RequestHead>): Promise<RequestOutcome | undefined> | undefined {
    const { protocol, ofConsole } = this.endpoint
    const { plansOf } = this.#context
    if (!plansOf || ofConsole || protocol !== 'openai-chat') return undefined
    return serveFast(this.#context, plansOf(entry.catalog), this, entry)
  }

  /** From the first attempt on. */
  serveAdmitted(admission: Admission<RequestHead>, sent?: SentChat): Promise<RequestOutcome> {
    return serve(this.#context, this.incoming, admission, sent)
  }
}

async function serve(
  { ports, health }: GatewayContext,
  incoming: ApiRequest,
  admission: Admission<RequestHead>,
  sent?: SentChat,
): Promise<RequestOutcome> {
  const { catalog, settings, caller, group, request, promptTokens, plan, reservation, outputLimit, rateLimits } =
    admission
  const startedAt = new Date(incoming.startedAt)
  const prompt = () => incoming.dialect.promptParts(request)
  if (outputLimit) incoming.writer.addHeaders({ 'x-tidegate-output-limit': String(outputLimit.tokens) })
  const abort = sent?.abort ?? new UpstreamAbort(incoming, settings['billing.disconnect_read_seconds'] * 1000)
  try {
    if (request.stream && settings['general_setting.ping_interval_enabled']) {
      const everyMs = settings['general_setting.ping_interval_seconds'] * 1000 * PING_EARLY
      incoming.writer.keepAlive({ frame: incoming.dialect.pingFrame, everyMs, firstMs: FIRST_PING_MS })
    }
    const canonical = canonicalSource(incoming.dialect, request, ports.fetchMedia)
    const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
    const options = {
      request,
      canonical,
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
    if (attempt.stripped?.length) incoming.writer.addHeaders({ 'x-tidegate-stripped': attempt.stripped.join(', ') })
    rememberStored(health.affinity, { request, attempt, userId: caller.userId })
    abort.markResponded({ hidesReasoning: hidesReasoning(attempt.route.model, request) })
    try {
      const { model } = attempt.route
      const meter = createMeter({ model, prompt, promptTokens, maxTokens: tokenCeiling(model, request) })
      // Read now: the decision is that of the group which served.
      const served = { ...known, decision: plan.decision, attempt }
      const billed = createBilledUsage(request, attempt, startedAt)
      const settlementFor = (usage: Usage, isInterrupted = false) =>
        settlementOf(ports, { ...served, implausible: meter.implausible, isInterrupted }, billed(usage))
      const costFor = (usage: Usage) => computeReceipt(attempt.route.price, billed(usage), startedAt).quota
      const outputBound = outputBoundOf(model, request, outputLimit)
      const createGuard = () =>
        createCreditGuard({ reservation, meter, outputBound, costFor, settlementFor, now: ports.now })
      const context = () => ({
        requestId: incoming.requestId,
        model: request.model,
        createdAt: Math.floor(incoming.startedAt / 1000),
        includeUsage: request.includeUsage,
        request: canonical.original(),
      })
      const response = await forwardResponse(ports, { incoming, request, attempt, context, meter, createGuard })

      const usage = await meter.total()
      const isInterrupted = response.kind === 'stream' && response.end.kind !== 'complete'
      const settlement = settlementFor(usage, isInterrupted)
      await settleRequest(reservation, settlement)
      if (meter.implausible) flagChannel(ports, attempt.route, { reported: meter.implausible, counted: usage })
      if (settings.LogChatContentEnabled) recordContent(ports, incoming, caller, canonical, meter)
      recordSuccess(ports, incoming, served, usage)
      // Before the last bytes: a client that has them may send its next request at once.
      if (rateLimits) await rateLimits.commit(tokensRead(usage) + completionTokens(usage))
      return finishResponse(incoming, { response, attempt, settings, usage })
    } finally {
      attempt.lease.end()
    }
  } finally {
    abort.end()
  }
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

/**
 * Remembers which account stores a response, so that the next turn goes there. Called before the client sees the id. A
 * conversation belongs to the user whose request is the first to be served with it.
 */
function rememberStored(
  affinity: Pick<SessionAffinity, 'setStored'>,
  { request, attempt, userId }: { request: RequestHead; attempt: ChatAttempt; userId: number },
): void {
  const { stored, dialect } = request
  if (!stored || attempt.chatApi.dialect !== dialect) return // converted: the provider stores nothing
  const { route, lease, opening } = attempt
  const entry = { userId, channelId: route.channel.id, keyId: keyIdOf(lease.key), routed: route.routed }
  for (const id of [stored.conversationId, stored.storesResponse ? responseId(opening) : undefined]) {
    if (id !== undefined) affinity.setStored(id, entry)
  }
}

function responseId(opening: OpenedResponse): string | undefined {
  if (opening.kind === 'whole') return opening.canonical.id
  for (const { events } of opening.held) {
    for (const event of events) if (event.type === 'response-start') return event.id
  }
  return undefined
}
