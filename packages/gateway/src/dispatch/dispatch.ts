import { setTimeout as wait } from 'node:timers/promises'
import type { ChatRequest } from '@tidegate/dialects'
import { FAILURES, providerOf, UpstreamFailure } from '@tidegate/providers'
import type { Call } from '../ingress/call.ts'
import type { CallDeadlines, Catalog, Ports } from '../ports.ts'
import type { Route } from '../route/route-call.ts'
import type { KeyRing } from './key-ring.ts'
import { openAnswer, type Opening } from './open-attempt.ts'
import { presentFailure } from '../present-failure.ts'
import { attemptsAllowed, mayRetry } from './retry-policy.ts'
import { neverStreams, shapeRequest } from './shape-request.ts'

/** A channel that began to answer, and those tried before it. */
export interface Attempt {
  readonly route: Route
  readonly opening: Opening
  /** Ids in the order they were tried, this one last. */
  readonly tried: readonly string[]
  /** When the first real event was there, in milliseconds since 1970. */
  readonly firstContentAt: number
}

export interface DispatchDeps {
  readonly ports: Pick<Ports, 'upstream' | 'now' | 'random' | 'log' | 'observe' | 'deadlines'>
  readonly keys: KeyRing
  readonly catalog: Catalog
}

const DEADLINES: CallDeadlines = { firstTokenMs: 120_000, idleMs: 60_000, answerMs: 600_000 }
const WAITING = { comment: 'WAITING FOR UPSTREAM', everyMs: 5_000, atOnce: true }

/** Tries one route after the other until one begins to answer. Throws the last failure when none does. */
export async function dispatch(
  deps: DispatchDeps,
  call: Call,
  request: ChatRequest,
  routes: readonly [Route, ...Route[]],
  attempts = attemptsAllowed(deps.catalog.settings),
): Promise<Attempt> {
  const { ports, catalog } = deps
  const tried: string[] = []
  for (let attempt = 0; ; attempt += 1) {
    const route = routes[attempt % routes.length]!
    const startedAt = ports.now()
    tried.push(String(route.channel.id))
    try {
      const opening = await tryRoute(deps, call, request, route)
      observe(deps, route, startedAt, 'served', 200)
      return { route, opening, tried, firstContentAt: ports.now() }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      observe(deps, route, startedAt, providerOf(route.channel.type).classify(error), error.status)
      const final = attempt + 1 >= attempts || !mayRetry(catalog.settings, error)
      ports.log.warn(
        {
          requestId: call.requestId,
          channelId: route.channel.id,
          failure: error.kind,
          status: error.status,
          final,
          cause: error.cause,
        },
        'an attempt failed',
      )
      if (final) throw presentFailure(error, route.channel, catalog.settings)
      if (attempt + 1 >= routes.length) await backOff(deps, error, call.signal) // every channel had its turn
    }
  }
}

async function tryRoute(deps: DispatchDeps, call: Call, request: ChatRequest, route: Route): Promise<Opening> {
  const stream = request.stream && !neverStreams(route)
  const limits = deadlinesFor(route, deps.ports.deadlines)
  if (request.stream && !stream) call.reply.keepAlive(WAITING)

  // Its own signal: this attempt can be given up without giving up the call.
  const abort = new AbortController()
  const giveUp = () => abort.abort()
  call.signal.addEventListener('abort', giveUp, { once: true })
  if (call.signal.aborted) giveUp()
  let late = false
  const timer = setTimeout(
    () => {
      late = true
      giveUp()
    },
    stream ? limits.firstTokenMs : limits.answerMs,
  )
  try {
    const response = await deps.ports.upstream.open({
      ...shapeRequest(call, request, route, { key: deps.keys.next(route.channel), settings: deps.catalog.settings }),
      signal: abort.signal,
      deadlines: { firstByteMs: stream ? limits.firstTokenMs : limits.answerMs, idleMs: limits.idleMs },
    })
    return await openAnswer(response, { stream })
  } catch (error) {
    throw late && !call.signal.aborted ? FAILURES.firstByte() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Models that think before they speak are silent for longer. */
function deadlinesFor({ model }: Route, configured: Partial<CallDeadlines> = {}): CallDeadlines {
  const limits = { ...DEADLINES, ...configured }
  const patience = /^o\d/.test(model) ? 2 : 1
  return { ...limits, firstTokenMs: limits.firstTokenMs * patience, idleMs: limits.idleMs * patience }
}

const LONGEST_PAUSE_MS = 5_000

/** Before a channel is asked again: as long as it wished, or a moment that differs from call to call. */
async function backOff({ ports }: DispatchDeps, failure: UpstreamFailure, signal: AbortSignal): Promise<void> {
  const wished = (failure.retryAfterSeconds ?? 0) * 1000
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(wished, 50 + 200 * ports.random()))
  await wait(pause, undefined, { signal }).catch(() => {}) // the next attempt sees that the client left
}

function observe(
  { ports }: DispatchDeps,
  { channel, model }: Route,
  startedAt: number,
  outcome: 'served' | ReturnType<ReturnType<typeof providerOf>['classify']>,
  status: number,
): void {
  ports.observe?.({
    kind: 'attempt',
    channelId: channel.id,
    model,
    outcome,
    status,
    milliseconds: ports.now() - startedAt,
  })
}
