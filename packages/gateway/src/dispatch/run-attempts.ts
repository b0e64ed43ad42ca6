import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import { FAILURES, providerOf, UpstreamFailure } from '@tidegate/providers'
import type { Trial } from '../health/health.ts'
import type { Call } from '../http/api-request.ts'
import type { Catalog, Ports, TriedRoute } from '../ports/index.ts'
import { presentFailure } from '../http/upstream-error.ts'
import type { Route, Routes } from '../route/route.ts'
import { describeAttempt } from './failed-attempt.ts'
import { attemptsAllowed, mayRetry } from './retry-policy.ts'

export interface DispatchDeps {
  readonly ports: Ports
  readonly catalog: Catalog
  /** Claims a channel's key for one attempt; nothing when another call took it meanwhile. */
  begin(route: Route): Trial | undefined
  /** Told of every failed attempt. */
  failed(route: Route, trial: Trial, failure: UpstreamFailure): void
}

/** How one channel would be asked. */
export interface Way<Answer> {
  /** The words it is asked in, for the log. */
  readonly dialect: string
  /** Throws an UpstreamFailure when it does not begin to answer. */
  ask(key: string): Promise<Answer>
  /** The answer began as a stream. */
  isStream(answer: Answer): boolean
}

interface Wanted<Answer> {
  /** As the client asked for it. */
  readonly model: string
  readonly routes: Routes
  /** How often the call may be tried in all. */
  readonly attempts?: number
  /** Nothing when the channel has no way to be asked this. */
  wayTo(route: Route): Way<Answer> | undefined
}

/** A channel that began to answer, and those tried before it. */
export interface Taken<Answer> {
  readonly route: Route
  readonly answer: Answer
  /** In the order they were tried, this one last. */
  readonly tried: readonly TriedRoute[]
  /** When the answer had begun, in milliseconds since 1970. */
  readonly firstContentAt: number
  /** The channel's key, in use until the answer is over. */
  readonly trial: Trial
}

/** Tries one route after the other until one begins to answer. Throws the last failure when none does. */
export async function tryRoutes<Answer>(
  deps: DispatchDeps,
  call: Call,
  wanted: Wanted<Answer>,
): Promise<Taken<Answer>> {
  const { ports, catalog } = deps
  const { routes, attempts = attemptsAllowed(catalog.settings) } = wanted
  const tried: TriedRoute[] = []
  const unable = new Set<number>()
  let last: UpstreamFailure | DialectError | ApiError | undefined

  for (let route = routes.next(); route; route = routes.next()) {
    if (unable.has(route.channel.id)) break // the round is over, and none of them has words for it
    if (route.again && last instanceof UpstreamFailure) await backOff(ports, last, call.signal)
    const way = wanted.wayTo(route)
    const trial = way && deps.begin(route)
    if (!way || !trial) continue

    const startedAt = ports.now()
    try {
      const answer = await way.ask(trial.key)
      const firstContentAt = ports.now()
      const milliseconds = firstContentAt - startedAt
      const firstTokenMs = way.isStream(answer) ? milliseconds : undefined
      trial.report({ outcome: 'served', status: 200, milliseconds, firstTokenMs })
      observe(deps, route, 'served', 200, milliseconds)
      tried.push(describeAttempt(route, way, milliseconds))
      return { route, answer, tried, firstContentAt, trial }
    } catch (thrown) {
      const error = asFailure(thrown, call.signal)
      if (error instanceof DialectError && error.code === 'cannot_express') {
        // No attempt was made: another channel may speak a dialect that has words for it.
        unable.add(route.channel.id)
        trial.end()
        last ??= error
        continue
      }
      if (!(error instanceof UpstreamFailure)) {
        trial.end()
        throw error
      }
      const milliseconds = ports.now() - startedAt
      const outcome = providerOf(route.channel.type).classify(error)
      const { kind, status, retryAfterSeconds } = error
      trial.report({ outcome, kind, status, milliseconds, retryAfterSeconds })
      trial.end()
      observe(deps, route, outcome, status, milliseconds)
      tried.push(describeAttempt(route, way, milliseconds, { failure: error, key: trial.key }))
      last = presentFailure(error, { channel: route.channel, key: trial.key }, catalog.settings)
      const isOver = tried.length >= attempts || call.signal.aborted
      const final = isOver || !mayRetry(catalog.settings, error, outcome)
      deps.failed(route, trial, error)
      ports.log.warn(
        {
          requestId: call.requestId,
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
  throw last ?? coolingDown(routes, wanted.model)
}

/** What goes wrong while a request is prepared for a provider is a failed attempt: another channel may serve it. */
function asFailure(error: unknown, { aborted }: AbortSignal): unknown {
  const isKnown = [UpstreamFailure, DialectError, ApiError].some((type) => error instanceof type)
  return isKnown || aborted ? error : FAILURES.unprepared(error)
}

/** Every channel was taken out of service between the choice of a route and its turn. */
function coolingDown(routes: Routes, model: string): ApiError {
  const retryAfterSeconds = Math.ceil((routes.readyIn() ?? 1000) / 1000)
  return new ApiError('channels_cooling_down', { model, seconds: retryAfterSeconds }, { retryAfterSeconds })
}

const LONGEST_PAUSE_MS = 5_000

/** Before a channel is asked again: as long as it wished, or a moment that differs from call to call. */
async function backOff({ random }: Ports, failure: UpstreamFailure, signal: AbortSignal): Promise<void> {
  const wished = (failure.retryAfterSeconds ?? 0) * 1000
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(wished, 50 + 200 * random()))
  await wait(pause, undefined, { signal }).catch(() => {}) // the next attempt sees that the client left
}

function observe(
  { ports }: DispatchDeps,
  { channel, model }: Route,
  outcome: 'served' | ReturnType<ReturnType<typeof providerOf>['classify']>,
  status: number,
  milliseconds: number,
): void {
  ports.observe?.({ kind: 'attempt', channelId: channel.id, model, outcome, status, milliseconds })
}
