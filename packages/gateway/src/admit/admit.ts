import type { Settings } from '@tidegate/contract'
import type { DialectId, PromptParts } from '@tidegate/dialects'
import type { Health } from '../health/health.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, RequestOutcome, Catalog, EarlyStep, Ports, StepTimes } from '../ports/index.ts'
import type { Router } from '../route/route-plan.ts'
import type { RouteOptions, RoutePlan } from '../route/route.ts'
import { measurePrompt } from '../tokens/estimate-tokens.ts'
import { yieldIfLarge } from '../tokens/yield-event-loop.ts'
import { checkModel, checkOrigin } from './access.ts'
import { filterContent } from './content-filter.ts'
import { type CreditReservation, releaseCredit } from './credit.ts'
import { recordFailure } from './observe-request.ts'
import { type RateLimitReservation, reserveRateLimits } from './rate-limits.ts'
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
type KindRouteOptions = Omit<RouteOptions, 'caller' | 'group' | 'model' | 'dialect' | 'promptTokens'> &
  Partial<Pick<RouteOptions, 'caller'>>

export interface CreditNeed<R> {
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
  routeOptions(request: R, caller: Caller): KindRouteOptions
  reserve(need: CreditNeed<R>): ReservedCredit | Promise<ReservedCredit>
  /** Serves a usual request at less cost. Undefined, and without effect, for a request that takes the general path. */
  serveFast?(entry: Entry<R>): Promise<RequestOutcome | undefined> | undefined
  translateError?(error: unknown): unknown
}

type AdmissionPorts = Pick<Ports, 'catalog' | 'limiter' | 'log' | 'now'>

interface AdmissionDeps {
  readonly ports: AdmissionPorts
  readonly router: Router
}

/** A request whose caller may send it now. Its body is not read yet. */
export interface Entry<R> extends AuthenticatedRequest<R> {
  readonly catalog: Catalog
  /** Undefined when nothing limits the caller. */
  readonly rateLimits: RateLimitReservation | undefined
  readonly clock: StepClock
}

/** A request that passed every check, with its share of the rate limits and its credit reservation. */
export interface Admission<R extends RequestSummary> extends AsyncDisposable {
  readonly catalog: Catalog
  readonly settings: Settings
  readonly caller: Caller
  readonly group: string
  readonly request: R
  readonly promptTokens: number
  readonly plan: RoutePlan
  /** How often the request may be tried; undefined for the number in the settings. */
  readonly attempts: number | undefined
  readonly reservation: CreditReservation
  readonly outputLimit: OutputLimit | undefined
  /** Undefined when nothing limits the caller. */
  readonly rateLimits: RateLimitReservation | undefined
  readonly timing: StepTimes
  /** Credit or rate limits are still reserved. */
  readonly isOpen: boolean
}

/**
 * Serves an admitted request. However it ends, its credit is settled or released, and its rate limits are committed or
 * rolled back.
 */
export async function withAdmission<R extends RequestSummary>(
  context: Pick<GatewayContext, 'ports' | 'router'>,
  incoming: ApiRequest,
  kind: RequestKind<R>,
  serve: (admission: Admission<R>) => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  try {
    const entry = await enter(context.ports, incoming, kind)
    const { rateLimits } = entry
    try {
      const serving = kind.serveFast?.(entry)
      const outcome = serving && (await serving)
      if (outcome) return outcome
      const admission = await admitEntry(context, incoming, kind, entry)
      try {
        return await serve(admission)
      } finally {
        // Not `await using`: disposal costs time, and a served request has nothing left to release.
        if (admission.isOpen) await admission[Symbol.asyncDispose]()
      }
    } finally {
      if (rateLimits?.isOpen) await rateLimits.rollback()
    }
  } catch (error) {
    recordFailure(context.ports, incoming, error)
    throw kind.translateError?.(error) ?? error
  }
}

/**
 * Runs every check that a request passes before a provider is called, in the same order for all kinds of requests. What
 * is known of a rejected request is in `incoming.known`.
 */
export async function admit<R extends RequestSummary>(
  deps: AdmissionDeps,
  incoming: ApiRequest,
  kind: RequestKind<R>,
): Promise<Admission<R>> {
  return admitEntry(deps, incoming, kind, await enter(deps.ports, incoming, kind))
}

/** The checks before the body is read. */
async function enter<R extends RequestSummary>(
  ports: AdmissionPorts,
  incoming: ApiRequest,
  kind: RequestKind<R>,
): Promise<Entry<R>> {
  const clock = new StepClock()
  incoming.known.timing = clock.times
  const catalog = ports.catalog() // one snapshot for the whole request
  const { settings } = catalog
  const { caller, group, readRequest } = await kind.authenticate(catalog)
  checkOrigin(incoming.request.headers.origin, settings)
  clock.done('authenticate')
  const reserving = reserveRateLimits(ports, incoming, { caller, group, settings })
  const rateLimits = reserving && (await reserving)
  if (rateLimits) clock.done('limits')
  return { catalog, caller, group, readRequest, rateLimits, clock }
}

async function admitEntry<R extends RequestSummary>(
  { ports, router }: AdmissionDeps,
  incoming: ApiRequest,
  kind: RequestKind<R>,
  { catalog, caller, group, readRequest, rateLimits, clock }: Entry<R>,
): Promise<Admission<R>> {
  const { settings } = catalog
  try {
    const request = await readRequest()
    incoming.known.model = request.model
    checkModel(caller, request.model)
    incoming.known.request = request
    incoming.known.catalog = catalog
    await yieldIfLarge(request.text?.length ?? 0)
    const prompt = kind.prompt(request)
    await filterContent(settings, group, prompt.texts, { log: ports.log, requestId: incoming.requestId })
    const { model, dialect } = request
    const routeOptions = { caller, group, model, dialect, ...kind.routeOptions(request, caller) }
    const promptTokens = kind.countsPrompt
      ? await measurePrompt(model, prompt, smallestLimit(router, catalog, routeOptions, rateLimits))
      : 0
    incoming.known.promptTokens = promptTokens
    clock.done('prompt')
    if (rateLimits) {
      await rateLimits.acquireTokens(promptTokens)
      clock.done('limits')
    }
    const plan = router.plan(catalog, { ...routeOptions, promptTokens })
    incoming.known.routing = plan
    clock.done('route')
    const candidates = plan.prices()
    const at = new Date(incoming.startedAt)
    const reserving = kind.reserve({ caller, request, promptTokens, candidates, settings, at })
    const { reservation, outputLimit } = reserving instanceof Promise ? await reserving : reserving
    clock.done('credit')
    return {
      catalog,
      settings,
      caller,
      group,
      request,
      promptTokens,
      plan,
      attempts: routeOptions.caller.pinnedChannelId === undefined ? undefined : 1,
      reservation,
      outputLimit,
      rateLimits,
      timing: clock.times,
      get isOpen() {
        return reservation.isOpen || rateLimits?.isOpen === true
      },
      /** Releases what was not settled, and rolls back rate limits that were not committed. */
      async [Symbol.asyncDispose]() {
        if (reservation.isOpen) releaseCredit(ports, reservation, incoming)
        await rateLimits?.rollback()
      },
    }
  } catch (error) {
    await rateLimits?.rollback()
    throw error
  }
}

/** Prompts near this limit are counted exactly. */
function smallestLimit(
  router: Router,
  catalog: Catalog,
  routeOptions: Pick<RouteOptions, 'caller' | 'group' | 'model'>,
  rateLimits: RateLimitReservation | undefined,
): number {
  return Math.min(router.smallestInputLimit(catalog, routeOptions), rateLimits?.tokenLimit ?? Infinity)
}

/** Measures the time of consecutive steps. */
export class StepClock {
  readonly times: Partial<Record<EarlyStep, number>> = {}
  #since = performance.now()

  /** Ends a step. The times of a step that runs twice are added up. */
  done(step: EarlyStep): void {
    const now = performance.now()
    this.times[step] = (this.times[step] ?? 0) + now - this.#since
    this.#since = now
  }
}
