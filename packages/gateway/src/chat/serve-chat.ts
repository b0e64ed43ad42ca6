import type { RequestHead } from '@tidegate/dialects'
import { completionTokens, computeReceipt, promptTokens as tokensRead, type Usage } from '@tidegate/pricing'
import { type Admission, type GatewayContext, type RequestKind, withAdmission } from '../admit/admit.ts'
import { hidesReasoning, outputBoundOf, reserveCredit } from '../admit/reserve-credit.ts'
import { enterWithKey } from '../admit/authenticate.ts'
import { canonicalSource, type CanonicalSource } from './inline-media.ts'
import { dispatch, type Attempt } from './send-chat.ts'
import { rememberStored } from './remember-stored.ts'
import { UpstreamAbort } from '../dispatch/upstream-abort.ts'
import { watchFailures } from '../dispatch/failed-attempt.ts'
import type { Call } from '../http/api-request.ts'
import { conversationOf } from '../health/session-affinity.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { createMeter, type Meter } from './usage-meter.ts'
import { flagChannel, mostTokens } from '../settle/plausible-usage.ts'
import { enterPlayground, playgroundRefusal } from '../admit/console-session.ts'
import type { CallOutcome, Ports, Caller } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import { chatContent, KEPT_LETTERS } from './chat-content.ts'
import { createBilledUsage } from '../settle/billed-usage.ts'
import { settleCall, settlementOf } from '../settle/settle-request.ts'
import { conclude } from './finish-response.ts'
import { keepCovered } from './credit-guard.ts'
import { passOn } from './forward-stream.ts'
import { tellServed, type Served } from '../admit/observe-request.ts'

type ConversationEndpoint = Extract<Endpoint, { kind: 'conversation' }>

const FIRST_PING_MS = 15_000
/** Pings come a little before their time: the interval is chosen to fit a proxy's limit, which is often just as long. */
const PING_EARLY = 0.9

/** Serves a chat: admits it, tries channels until one responds, forwards the response and settles what it used. */
export function relay(context: GatewayContext, call: Call, endpoint: ConversationEndpoint): Promise<CallOutcome> {
  return withAdmission(context, call, chatKind(context.ports, call, endpoint), (admission) =>
    converse(context, call, admission),
  )
}

export function chatKind(ports: Ports, call: Call, endpoint: ConversationEndpoint): RequestKind<RequestHead> {
  return {
    authenticate: (catalog) =>
      endpoint.ofConsole ? enterPlayground(ports, call, catalog) : enterWithKey(ports, call, endpoint, catalog),
    prompt: (request) => call.dialect.promptParts(request),
    countsPrompt: true,
    routeOptions: (request) => ({
      conversation: conversationOf(call.request.headers, request),
      stored: request.stored,
    }),
    reserve: ({ caller, ...need }) =>
      reserveCredit(ports, call.requestId, caller, { ...need, prompt: () => call.dialect.promptParts(need.request) }),
    translateError: (error) => (endpoint.ofConsole ? playgroundRefusal(call.known, error) : error),
  }
}

async function converse(
  { ports, health }: GatewayContext,
  call: Call,
  admission: Admission<RequestHead>,
): Promise<CallOutcome> {
  const { catalog, settings, caller, group, request, promptTokens, routes, grant, outputLimit, slots } = admission
  const startedAt = new Date(call.startedAt)
  const prompt = () => call.dialect.promptParts(request)
  if (outputLimit) call.reply.announce({ 'x-tidegate-output-limit': String(outputLimit.tokens) })
  const abort = new UpstreamAbort(call, settings['billing.disconnect_read_seconds'] * 1000)
  try {
    if (request.stream && settings['general_setting.ping_interval_enabled']) {
      const everyMs = settings['general_setting.ping_interval_seconds'] * 1000 * PING_EARLY
      call.reply.keepAlive({ frame: call.dialect.pingFrame, everyMs, firstMs: FIRST_PING_MS })
    }
    const canonical = canonicalSource(call.dialect, request, ports.fetchMedia)
    const failed = watchFailures({ ports, health, settings }, { call, caller, request })
    const wanted = {
      request,
      canonical,
      routes,
      attempts: admission.attempts,
      abort,
      ...(outputLimit && { outputLimit: outputLimit.tokens }),
    }
    const known = { call, caller, group, request, timing: admission.timing, outputLimit }
    let attempt: Attempt
    try {
      attempt = await dispatch({ ports, catalog, begin: health.begin, failed }, call, wanted)
    } catch (error) {
      if (!abort.billedBy) throw error
      const usage = await createMeter({ model: request.model, prompt, promptTokens }).total()
      await settleCall(
        grant,
        settlementOf(
          ports,
          { ...known, decision: routes.decision, attempt: unreadAttempt(abort.billedBy, ports, call) },
          usage,
        ),
      )
      if (slots) await slots.keep(tokensRead(usage))
      return 'client-gone'
    }
    if (attempt.stripped?.length) call.reply.announce({ 'x-tidegate-stripped': attempt.stripped.join(', ') })
    rememberStored(health.affinity, { request, attempt, userId: caller.userId })
    abort.responded({ hidesReasoning: hidesReasoning(attempt.route.model, request) })
    try {
      const { model } = attempt.route
      const meter = createMeter({ model, prompt, promptTokens, mostTokens: mostTokens(model, request) })
      // Read now: the decision is that of the group which served.
      const served = { ...known, decision: routes.decision, attempt }
      const billed = createBilledUsage(request, attempt, startedAt)
      const settlementFor = (usage: Usage) =>
        settlementOf(ports, { ...served, implausible: meter.implausible }, billed(usage))
      const costFor = (usage: Usage) => computeReceipt(attempt.route.price, billed(usage), startedAt).quota
      const outputBound = outputBoundOf(model, request, outputLimit)
      const covered = () => keepCovered({ grant, meter, outputBound, costFor, settlementFor, now: ports.now })
      const context = () => ({
        requestId: call.requestId,
        model: request.model,
        createdAt: Math.floor(call.startedAt / 1000),
        includeUsage: request.includeUsage,
        request: canonical.asGiven(),
      })
      const answer = await passOn(ports, { call, request, attempt, context, meter, covered })

      const usage = await meter.total()
      const settlement = settlementFor(usage)
      await settleCall(grant, settlement)
      if (meter.implausible) flagChannel(ports, attempt.route, { reported: meter.implausible, counted: usage })
      if (settings.LogChatContentEnabled) keepContent(ports, call, caller, canonical, meter)
      tellServed(ports, call, served, usage)
      // Before the last bytes: who has them may call again at once.
      if (slots) await slots.keep(tokensRead(usage) + completionTokens(usage))
      return conclude(call, { answer, attempt, settings, usage })
    } finally {
      attempt.trial.end()
    }
  } finally {
    abort.end()
  }
}

/** An attempt whose client left before anything of the response was read. */
function unreadAttempt(route: Route, { now }: Pick<Ports, 'now'>, { startedAt }: Call): Served['attempt'] {
  const milliseconds = now() - startedAt
  const tried = [{ channel: route.channel.id, dialect: '', milliseconds, reason: 'client disconnected' }]
  return { route, tried, firstContentAt: now(), opening: { kind: 'whole' } }
}

/** What was said is kept where the operator wants that. A request that cannot be put into words is still a good call. */
function keepContent(ports: Ports, { requestId }: Call, { userId }: Caller, canonical: CanonicalSource, meter: Meter) {
  try {
    const content = chatContent(canonical.asGiven(), meter.heard(KEPT_LETTERS + 1))
    ports.recordContent?.({ requestId, userId, ...content })
  } catch (error) {
    ports.log.warn({ err: error, requestId }, 'the words of a call could not be kept')
  }
}
