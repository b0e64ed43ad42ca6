import type { Settings } from '@tidegate/contract'
import type { DialectId, PromptParts } from '@tidegate/dialects'
import type { Health } from '../health/health.ts'
import type { Call } from '../http/api-request.ts'
import type { Caller, CallOutcome, Catalog, EarlyStep, Ports, StepTimes } from '../ports/index.ts'
import type { Router } from '../route/route-plan.ts'
import type { RouteQuestion, Routes } from '../route/route.ts'
import { measurePrompt } from '../tokens/estimate-tokens.ts'
import { turnFor } from '../tokens/yield-event-loop.ts'
import { checkModel, checkOrigin } from './access.ts'
import { checkContent } from './content-filter.ts'
import { type Grant, release } from './credit.ts'
import { tellFailed } from './observe-request.ts'
import { type Slots, slotsFor } from './rate-limits.ts'
import type { OutputLimit, PricedModel, ReservedCredit } from './reserve-credit.ts'

/** What the requests of one process share. */
export interface GatewayContext {
  readonly ports: Ports
  readonly router: Router
  readonly health: Health
}

/** What every kind of request has. */
export interface RequestSummary {
  readonly model: string
  readonly dialect: DialectId
  readonly stream: boolean
  /** The text of a JSON body. */
  readonly text?: string
}

export interface AuthenticatedRequest<R> {
  readonly caller: Caller
  /** The group that the request is routed and billed in. */
  readonly group: string
  /** Reads the body, once rate limits pass. */
  readRequest(): Promise<R>
}

/** `caller` only where another channel than the caller's is pinned. */
type RouteOptions = Omit<RouteQuestion, 'caller' | 'group' | 'model' | 'dialect' | 'promptTokens'> &
  Partial<Pick<RouteQuestion, 'caller'>>

interface CreditNeed<R> {
  readonly caller: Caller
  readonly request: R
  readonly promptTokens: number
  /** Every model that may serve the request, with its price. */
  readonly candidates: readonly PricedModel[]
  readonly settings: Settings
  /** When the request began. */
  readonly at: Date
}

/** How one kind of request differs from the others until it is admitted. */
export interface RequestKind<R extends RequestSummary> {
  authenticate(catalog: Catalog): Promise<AuthenticatedRequest<R>>
  /** The prompt, for the content filter and the token count. */
  prompt(request: R): PromptParts
  /** False where the price does not depend on the prompt: tasks and realtime sessions. */
  readonly countsPrompt: boolean
  routeOptions(request: R, caller: Caller): RouteOptions
  reserve(need: CreditNeed<R>): Promise<ReservedCredit>
  translateError?(error: unknown): unknown
}

type AdmissionPorts = Pick<Ports, 'catalog' | 'limiter' | 'log' | 'now'>

interface AdmissionDeps {
  readonly ports: AdmissionPorts
  readonly router: Router
}

/** A request that passed every check, with its share of the rate limits and its credit reservation. */
export interface Admission<R extends RequestSummary> extends AsyncDisposable {
  readonly catalog: Catalog
  readonly settings: Settings
  readonly caller: Caller
  readonly group: string
  readonly request: R
  readonly promptTokens: number
  readonly routes: Routes
  /** How often the request may be tried; undefined for the number in the settings. */
  readonly attempts: number | undefined
  readonly grant: Grant
  readonly outputLimit: OutputLimit | undefined
  /** Undefined when nothing limits the caller. */
  readonly slots: Slots | undefined
  readonly timing: StepTimes
}

/**
 * Serves an admitted request. However it ends, its credit is settled or released, and its rate limits are committed or
 * rolled back.
 */
export async function withAdmission<R extends RequestSummary>(
  context: Pick<GatewayContext, 'ports' | 'router'>,
  call: Call,
  kind: RequestKind<R>,
  serve: (admission: Admission<R>) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  try {
    await using admission = await admit(context, call, kind)
    return await serve(admission)
  } catch (error) {
    tellFailed(context.ports, call, error)
    throw kind.translateError?.(error) ?? error
  }
}

/**
 * Every check that a request passes before a provider is called, in this order for all kinds of requests. What is known
 * of a request that is rejected on the way is in `call.known`.
 */
export async function admit<R extends RequestSummary>(
  { ports, router }: AdmissionDeps,
  call: Call,
  kind: RequestKind<R>,
): Promise<Admission<R>> {
  const clock = new StepClock()
  call.known.timing = clock.times
  const catalog = ports.catalog() // one snapshot for the whole request
  const { settings } = catalog
  const { caller, group, readRequest } = await kind.authenticate(catalog)
  checkOrigin(call.request.headers.origin, settings)
  clock.done('authenticate')
  const slots = await slotsFor(ports, call, { caller, group, settings })
  if (slots) clock.done('limits')
  try {
    const request = await readRequest()
    call.known.model = request.model
    checkModel(caller, request.model)
    call.known.request = request
    call.known.catalog = catalog
    await turnFor(request.text?.length ?? 0)
    const prompt = kind.prompt(request)
    await checkContent(settings, group, prompt.texts, { log: ports.log, requestId: call.requestId })
    const { model, dialect } = request
    const question = { caller, group, model, dialect, ...kind.routeOptions(request, caller) }
    const promptTokens = kind.countsPrompt
      ? await measurePrompt(model, prompt, smallestLimit(router, catalog, question, slots))
      : 0
    call.known.promptTokens = promptTokens
    clock.done('prompt')
    if (slots) {
      await slots.enterWithPrompt(promptTokens)
      clock.done('limits')
    }
    const routes = router.route(catalog, { ...question, promptTokens })
    clock.done('route')
    const candidates = routes.prices()
    const at = new Date(call.startedAt)
    const { grant, outputLimit } = await kind.reserve({ caller, request, promptTokens, candidates, settings, at })
    clock.done('credit')
    return {
      catalog,
      settings,
      caller,
      group,
      request,
      promptTokens,
      routes,
      attempts: question.caller.pinnedChannelId === undefined ? undefined : 1,
      grant,
      outputLimit,
      slots,
      timing: clock.times,
      /** Releases what was not settled, and rolls back rate limits that were not committed. */
      async [Symbol.asyncDispose]() {
        if (grant.isOpen) await release(ports, grant, call)
        await slots?.giveBack()
      },
    }
  } catch (error) {
    await slots?.giveBack()
    throw error
  }
}

/** Prompts near this limit are counted exactly. */
function smallestLimit(
  router: Router,
  catalog: Catalog,
  question: Pick<RouteQuestion, 'caller' | 'group' | 'model'>,
  slots: Slots | undefined,
): number {
  return Math.min(router.smallestInputLimit(catalog, question), slots?.tokenLimit ?? Infinity)
}

/** Takes the time of one step after the other. */
class StepClock {
  readonly times: Partial<Record<EarlyStep, number>> = {}
  #since = performance.now()

  /** The step that ran until now; one that comes in two parts is added up. */
  done(step: EarlyStep): void {
    const now = performance.now()
    this.times[step] = Math.round(((this.times[step] ?? 0) + now - this.#since) * 100) / 100
    this.#since = now
  }
}
