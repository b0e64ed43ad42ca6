import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, logEvent } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import { FAILURES, providerOf, UpstreamFailure } from '@tidegate/providers'
import type { AttemptLease } from '../health/health.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Catalog, Ports, AttemptRecord } from '../ports/index.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { describeAttempt, type RecordAttempt } from './failed-attempt.ts'
import { maxAttempts, mayRetry } from './retry-policy.ts'

export interface AttemptDeps {
  readonly ports: Ports
  readonly catalog: Catalog
  /** Acquires a channel key for one attempt; undefined when another request acquired it meanwhile. */
  acquireKey(route: Route): AttemptLease | undefined
  /** Called for every failed attempt, with the attempts so far. The result is called when its outcome is known. */
  onFailure(
    route: Route,
    lease: AttemptLease,
    failure: UpstreamFailure,
    tried: readonly AttemptRecord[],
  ): RecordAttempt | undefined
}

/** Sends a request to one channel. */
export interface Sender<Result> {
  /** The protocol of the request, for the log. */
  readonly dialect: string
  /** Throws an UpstreamFailure when the channel does not begin to respond. `begun` is an attempt that was sent already. */
  send(key: string, begun?: BegunAttempt<Result>): Promise<Result>
  /** Whether the response is a stream. */
  isStream(response: Result): boolean
}

interface AttemptOptions<Result> {
  /** The name that the client requested. */
  readonly model: string
  readonly plan: RoutePlan
  /** The maximum number of attempts. */
  readonly attempts?: number
  /** Undefined when the channel cannot serve this kind of request. */
  senderFor(route: Route): Sender<Result> | undefined
  /** The attempt at the first route, where it has begun. */
  readonly begun?: BegunAttempt<Result> | undefined
}

/** An attempt whose request was sent. */
export interface BegunAttempt<Result> {
  readonly lease: AttemptLease
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** As `send` of a sender. */
  receive(): Promise<Result>
}

/** A channel that began to respond, and the attempts before it. */
export interface SuccessfulAttempt<Result> {
  readonly route: Route
  readonly response: Result
  /** In order, this one last. */
  readonly tried: readonly AttemptRecord[]
  /** When the response began, in milliseconds since 1970. */
  readonly firstContentAt: number
  /** The lease of the channel key, held until the response ends. */
  readonly lease: AttemptLease
}

/** Tries one route after another until a channel begins to respond. Throws the last failure when none does. */
export async function runAttempts<Result>(
  deps: AttemptDeps,
  incoming: ApiRequest,
  options: AttemptOptions<Result>,
): Promise<SuccessfulAttempt<Result>> {
  const { ports, catalog } = deps
  const { plan, attempts = maxAttempts(catalog.settings) } = options
  const tried: AttemptRecord[] = []
  const unsupported = new Set<number>()
  let last: UpstreamFailure | DialectError | ApiError | undefined
  /** For the last failed attempt. It is not final when the request goes on. */
  let record: RecordAttempt | undefined
  let { begun } = options

  for (let route = plan.next(); route; route = plan.next()) {
    if (unsupported.has(route.channel.id)) break // all channels were tried, and none can express it
    if (route.again && last instanceof UpstreamFailure) await waitBeforeRetry(ports, last, incoming.signal)
    const sender = options.senderFor(route)
    const lease = begun?.lease ?? (sender && deps.acquireKey(route))
    if (!sender || !lease) continue

    const startedAt = begun?.startedAt ?? ports.now()
    try {
      const receiving = sender.send(lease.key, begun)
      begun = undefined
      const response = await receiving
      const firstContentAt = ports.now()
      record?.(false)
      const milliseconds = firstContentAt - startedAt
      const firstTokenMs = sender.isStream(response) ? milliseconds : undefined
      lease.report({ outcome: 'served', status: 200, milliseconds, firstTokenMs })
      observe(deps, route, 'served', 200, milliseconds)
      tried.push(describeAttempt(route, sender, milliseconds))
      return { route, response, tried, firstContentAt, lease }
    } catch (thrown) {
      const error = toFailure(thrown, incoming.isAborted)
      if (error instanceof DialectError && error.code === 'cannot_express') {
        // No attempt was made. Another channel may have a protocol that can express the request.
        unsupported.add(route.channel.id)
        lease.end()
        last ??= error
        continue
      }
      record?.(false)
      if (!(error instanceof UpstreamFailure)) {
        lease.end()
        throw error
      }
      const milliseconds = ports.now() - startedAt
      const outcome = providerOf(route.channel.type).classify(error)
      const { kind, status, retryAfterSeconds } = error
      lease.report({ outcome, kind, status, milliseconds, retryAfterSeconds })
      lease.end()
      observe(deps, route, outcome, status, milliseconds)
      tried.push(describeAttempt(route, sender, milliseconds, { failure: error, key: lease.key }))
      last = presentUpstreamError(error, { channel: route.channel, key: lease.key }, catalog.settings)
      const isOver = tried.length >= attempts || incoming.isAborted
      const final = isOver || !mayRetry(catalog.settings, error, outcome)
      record = deps.onFailure(route, lease, error, tried)
      logEvent(ports.log, 'attempt.failed', {
        requestId: incoming.requestId,
        channelId: route.channel.id,
        failure: kind,
        status,
        final,
        cause: error.cause,
      })
      if (final) break
    }
  }
  record?.(true)
  throw last ?? coolingDownError(plan, options.model)
}

/** An error while a request is prepared for a provider is a failed attempt: another channel may serve it. */
function toFailure(error: unknown, isAborted: boolean): unknown {
  const isKnown = [UpstreamFailure, DialectError, ApiError].some((type) => error instanceof type)
  return isKnown || isAborted ? error : FAILURES.unprepared(error)
}

/** Every channel started to cool down after its route was chosen. */
function coolingDownError(plan: RoutePlan, model: string): ApiError {
  const retryAfterSeconds = Math.ceil((plan.readyIn() ?? 1000) / 1000)
  return new ApiError('channels_cooling_down', { model, seconds: retryAfterSeconds }, { retryAfterSeconds })
}

const MAX_PAUSE_MS = 5_000

/** Waits before a channel is called again: for its Retry-After, or for a short random time. */
async function waitBeforeRetry({ random }: Ports, failure: UpstreamFailure, signal: AbortSignal): Promise<void> {
  const requestedMs = (failure.retryAfterSeconds ?? 0) * 1000
  const pause = Math.min(MAX_PAUSE_MS, Math.max(requestedMs, 50 + 200 * random()))
  await wait(pause, undefined, { signal }).catch(() => {}) // the next attempt detects that the client left
}

function observe(
  { ports }: AttemptDeps,
  { channel, model }: Route,
  outcome: 'served' | ReturnType<ReturnType<typeof providerOf>['classify']>,
  status: number,
  milliseconds: number,
): void {
  ports.observe?.({ kind: 'attempt', channelId: channel.id, model, outcome, status, milliseconds })
}
