import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import { FAILURES, providerOf, UpstreamFailure } from '@tidegate/providers'
import type { AttemptLease } from '../health/health.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Catalog, Ports, AttemptRecord } from '../ports/index.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { describeAttempt } from './failed-attempt.ts'
import { attemptsAllowed, mayRetry } from './retry-policy.ts'

export interface AttemptDeps {
  readonly ports: Ports
  readonly catalog: Catalog
  /** Claims a channel's key for one attempt; nothing when another call took it meanwhile. */
  acquireKey(route: Route): AttemptLease | undefined
  /** Told of every failed attempt. */
  onFailure(route: Route, lease: AttemptLease, failure: UpstreamFailure): void
}

/** How one channel would be asked. */
export interface Sender<Answer> {
  /** The words it is asked in, for the log. */
  readonly dialect: string
  /** Throws an UpstreamFailure when it does not begin to answer. */
  send(key: string): Promise<Answer>
  /** The answer began as a stream. */
  isStream(answer: Answer): boolean
}

interface AttemptOptions<Answer> {
  /** As the client asked for it. */
  readonly model: string
  readonly plan: RoutePlan
  /** How often the call may be tried in all. */
  readonly attempts?: number
  /** Nothing when the channel has no way to be asked this. */
  senderFor(route: Route): Sender<Answer> | undefined
}

/** A channel that began to answer, and those tried before it. */
export interface ServedAttempt<Answer> {
  readonly route: Route
  readonly response: Answer
  /** In the order they were tried, this one last. */
  readonly tried: readonly AttemptRecord[]
  /** When the answer had begun, in milliseconds since 1970. */
  readonly firstContentAt: number
  /** The channel's key, in use until the answer is over. */
  readonly lease: AttemptLease
}

/** Tries one route after the other until one begins to answer. Throws the last failure when none does. */
export async function runAttempts<Answer>(
  deps: AttemptDeps,
  incoming: ApiRequest,
  wanted: AttemptOptions<Answer>,
): Promise<ServedAttempt<Answer>> {
  const { ports, catalog } = deps
  const { plan, attempts = attemptsAllowed(catalog.settings) } = wanted
  const tried: AttemptRecord[] = []
  const unable = new Set<number>()
  let last: UpstreamFailure | DialectError | ApiError | undefined

  for (let route = plan.next(); route; route = plan.next()) {
    if (unable.has(route.channel.id)) break // the round is over, and none of them has words for it
    if (route.again && last instanceof UpstreamFailure) await waitBeforeRetry(ports, last, incoming.signal)
    const way = wanted.senderFor(route)
    const lease = way && deps.acquireKey(route)
    if (!way || !lease) continue

    const startedAt = ports.now()
    try {
      const answer = await way.send(lease.key)
      const firstContentAt = ports.now()
      const milliseconds = firstContentAt - startedAt
      const firstTokenMs = way.isStream(answer) ? milliseconds : undefined
      lease.report({ outcome: 'served', status: 200, milliseconds, firstTokenMs })
      observe(deps, route, 'served', 200, milliseconds)
      tried.push(describeAttempt(route, way, milliseconds))
      return { route, response: answer, tried, firstContentAt, lease }
    } catch (thrown) {
      const error = asFailure(thrown, incoming.signal)
      if (error instanceof DialectError && error.code === 'cannot_express') {
        // No attempt was made: another channel may speak a dialect that has words for it.
        unable.add(route.channel.id)
        lease.end()
        last ??= error
        continue
      }
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
      tried.push(describeAttempt(route, way, milliseconds, { failure: error, key: lease.key }))
      last = presentUpstreamError(error, { channel: route.channel, key: lease.key }, catalog.settings)
      const isOver = tried.length >= attempts || incoming.signal.aborted
      const final = isOver || !mayRetry(catalog.settings, error, outcome)
      deps.onFailure(route, lease, error)
      ports.log.warn(
        {
          requestId: incoming.requestId,
          channelId: route.channel.id,
          failure: kind,
          status,
          final,
          cause: error.cause,
        },
        'an attempt failed',
      )
      if (final) break
    }
  }
  throw last ?? coolingDownError(plan, wanted.model)
}

/** What goes wrong while a request is prepared for a provider is a failed attempt: another channel may serve it. */
function asFailure(error: unknown, { aborted }: AbortSignal): unknown {
  const isKnown = [UpstreamFailure, DialectError, ApiError].some((type) => error instanceof type)
  return isKnown || aborted ? error : FAILURES.unprepared(error)
}

/** Every channel was taken out of service between the choice of a route and its turn. */
function coolingDownError(plan: RoutePlan, model: string): ApiError {
  const retryAfterSeconds = Math.ceil((plan.readyIn() ?? 1000) / 1000)
  return new ApiError('channels_cooling_down', { model, seconds: retryAfterSeconds }, { retryAfterSeconds })
}

const LONGEST_PAUSE_MS = 5_000

/** Before a channel is asked again: as long as it wished, or a moment that differs from call to call. */
async function waitBeforeRetry({ random }: Ports, failure: UpstreamFailure, signal: AbortSignal): Promise<void> {
  const wished = (failure.retryAfterSeconds ?? 0) * 1000
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(wished, 50 + 200 * random()))
  await wait(pause, undefined, { signal }).catch(() => {}) // the next attempt sees that the client left
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
