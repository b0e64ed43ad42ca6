import type { RequestHead } from '@tidegate/dialects'
import { completionTokens, computeReceipt, promptTokens as tokensRead, type Usage } from '@tidegate/pricing'
import { checkOrigin } from './admit/browser-extension.ts'
import { checkModel } from './admit/check-access.ts'
import { checkContent } from './admit/content-check.ts'
import { measurePrompt } from './admit/measure-prompt.ts'
import { hidesReasoning } from './admit/reasoning-models.ts'
import { outputBoundOf, reserveCredit } from './admit/reserve-credit.ts'
import { slotsFor, type Slots } from './admit/rate-limits.ts'
import type { Caller } from './authenticate/authenticate.ts'
import { enterWithKey, type Entrance } from './enter-with-key.ts'
import { turnFor } from './give-turn.ts'
import { canonicalSource, type CanonicalSource } from './dispatch/canonical-source.ts'
import { dispatch, type Attempt } from './dispatch/dispatch.ts'
import { rememberStored } from './dispatch/remember-stored.ts'
import { UpstreamAbort } from './dispatch/upstream-abort.ts'
import { watchFailures } from './health/watch-failures.ts'
import type { Health } from './health/index.ts'
import type { Call } from './ingress/call.ts'
import { conversationOf } from './ingress/conversation.ts'
import type { Endpoint } from './ingress/endpoints.ts'
import { createMeter, type Meter } from './meter/meter.ts'
import { flagChannel, mostTokens } from './meter/plausible-usage.ts'
import { enterPlayground } from './playground/enter-playground.ts'
import { playgroundRefusal } from './playground/playground-refusal.ts'
import type { CallOutcome, Catalog, Ports } from './ports.ts'
import type { Route, Router } from './route/route-call.ts'
import { chatContent, KEPT_LETTERS } from './settle/chat-content.ts'
import { release } from './settle/end-grant.ts'
import { createBilledUsage } from './settle/billed-usage.ts'
import { settleCall, settlementOf, type Served } from './settle/settle-call.ts'
import { conclude } from './stream/conclude.ts'
import { StepClock } from './step-times.ts'
import { keepCovered } from './stream/keep-covered.ts'
import { passOn } from './stream/pass-on.ts'
import { tellFailed, tellServed } from './tell-conversation.ts'

/** What the calls of one process share. */
export interface Relay {
  readonly ports: Ports
  readonly router: Router
  readonly health: Health
}

type ConversationEndpoint = Extract<Endpoint, { kind: 'conversation' }>

const FIRST_PING_MS = 15_000
/** Pings come a little before their time: the interval is chosen to fit a proxy's limit, which is often just as long. */
const PING_EARLY = 0.9

/** The journey of a call, step by step. Whatever ends it, its grant is settled or released, once. */
export async function relay(shared: Relay, call: Call, endpoint: ConversationEndpoint): Promise<CallOutcome> {
  const { ports } = shared
  const catalog = ports.catalog()
  const { settings } = catalog
  const clock = new StepClock()
  const entrance = endpoint.ofConsole
    ? await enterPlayground(ports, call, catalog)
    : await enterWithKey(ports, call, endpoint, catalog)
  const { caller, group } = entrance
  checkOrigin(call.request.headers.origin, settings)
  clock.done('authenticate')
  const entering = slotsFor(ports, call, { caller, group, settings })
  if (!entering) return carry(shared, call, entrance, { catalog, caller, group, clock })
  const slots = await entering
  clock.done('limits')
  try {
    return await carry(shared, call, entrance, { catalog, caller, group, clock, slots })
  } catch (error) {
    await slots.giveBack()
    throw error
  }
}

interface Admitted {
  readonly catalog: Catalog
  readonly caller: Caller
  readonly group: string
  readonly clock: StepClock
  /** Missing when nothing limits the caller. */
  readonly slots?: Slots
}

/** From the body to the last byte, for a caller who may come in. */
async function carry(shared: Relay, call: Call, { readRequest }: Entrance, admitted: Admitted): Promise<CallOutcome> {
  const { catalog, caller, group, clock } = admitted
  const request = await readRequest()
  call.known.model = request.model
  checkModel(caller, request.model)
  const turn = turnFor(request.text.length)
  if (turn) await turn
  try {
    return await converse(shared, call, request, admitted)
  } catch (error) {
    tellFailed(shared.ports, call, { catalog, caller, group, request, timing: clock.times }, error)
    throw call.endpoint.ofConsole ? playgroundRefusal({ group, model: request.model }, error) : error
  }
}

/** From a request that may be made to the last byte of its answer. */
async function converse(
  { ports, router, health }: Relay,
  call: Call,
  request: RequestHead,
  { catalog, caller, group, clock, slots }: Admitted,
): Promise<CallOutcome> {
  const { settings } = catalog
  const startedAt = new Date(call.startedAt)
  const prompt = () => call.dialect.promptParts(request)
  const parts = prompt() // not kept for the answer: a stream that is counted by its vendor never asks for them again
  const checked = checkContent(settings, group, parts.texts, { log: ports.log, requestId: call.requestId })
  if (checked) await checked
  const conversation = conversationOf(call.request.headers, request)
  const { model, dialect, stored } = request
  const question = { caller, group, model, dialect, conversation, stored }
  const smallestLimit = Math.min(router.smallestInputLimit(catalog, question), slots?.tokenLimit ?? Infinity)
  const measured = measurePrompt(request.model, parts, smallestLimit)
  const promptTokens = typeof measured === 'number' ? measured : await measured
  clock.done('prompt')
  if (slots) {
    await slots.enterWithPrompt(promptTokens)
    clock.done('limits')
  }
  const routes = router.route(catalog, { ...question, promptTokens })
  clock.done('route')

  const candidates = routes.prices()
  const credit = { request, promptTokens, candidates, settings, prompt, at: startedAt }
  const { grant, outputLimit } = await reserveCredit(ports, call.requestId, caller, credit)
  if (outputLimit) call.reply.announce({ 'x-tidegate-output-limit': String(outputLimit.tokens) })
  clock.done('credit')
  const abort = new UpstreamAbort(call, settings['billing.disconnect_read_seconds'] * 1000)
  try {
    if (request.stream && settings['general_setting.ping_interval_enabled']) {
      const everyMs = settings['general_setting.ping_interval_seconds'] * 1000 * PING_EARLY
      call.reply.keepAlive({ frame: call.dialect.pingFrame, everyMs, firstMs: FIRST_PING_MS })
    }
    const canonical = canonicalSource(call.dialect, request, ports.fetchMedia)
    const failed = watchFailures({ ports, health, settings }, { call, caller, request })
    const attempts = caller.pinnedChannelId === undefined ? undefined : 1
    const wanted = {
      request,
      canonical,
      routes,
      attempts,
      abort,
      ...(outputLimit && { outputLimit: outputLimit.tokens }),
    }
    const known = { call, caller, group, request, timing: clock.times, outputLimit }
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
    if (grant.isOpen) await release(ports, grant, call)
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
