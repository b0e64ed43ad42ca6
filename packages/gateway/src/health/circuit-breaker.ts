import type { FailureClass, FailureKind } from '@tidegate/providers'
import { RecentMap } from '../recent-map.ts'
import { SlidingWindow, WINDOW_MS } from './channel-metrics.ts'
import { EVERY_MODEL, OpenCircuits, type CircuitKey } from './open-circuits.ts'

export interface Failure {
  readonly outcome: FailureClass
  /** Missing when it is not known where the exchange broke. */
  readonly kind?: FailureKind
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** A call on its way. Holds the trial of a half-open circuit until it is released or has a result. */
interface CircuitPermit {
  succeeded(): void
  failed(failure: Failure): void
  /** Without a result; after one it does nothing. */
  release(): void
}

export interface CircuitBreaker {
  /** Milliseconds until the caller may use the way: 0 when it may be used now. */
  waitFor(way: CircuitKey, callerId: number): number
  /** False for a channel without any trouble: spares looking at each of its keys. */
  hasOpenCircuit(channelId: number): boolean
  acquire(way: CircuitKey, callerId: number): CircuitPermit
  /** Ways that may not be used right now. */
  openCircuits(): number
}

interface CircuitEntry {
  readonly way: CircuitKey
  readonly circuit: Circuit
}

const MOST_CIRCUITS = 10_000
const SERVER_COOLDOWN: CooldownRange = { firstMs: 5_000, longestMs: 60_000 }
const KEY_COOLDOWN: CooldownRange = { firstMs: 60_000, longestMs: 600_000 }
const MAX_COOLDOWN_MS = 600_000
const MAX_COOLDOWNS = 1_000

/**
 * Keeps calls away from what just failed. A key that is refused or has no credit is left alone for all models; anything
 * else concerns one model of one key. Failures that are the client's own count for nothing.
 */
export function createCircuitBreaker({ now }: { now(): number }): CircuitBreaker {
  const trouble = new OpenCircuits()
  const circuits = new RecentMap<string, CircuitEntry>(MOST_CIRCUITS, (_id, { way }) => trouble.remove(way))
  /** Until when the circuit is open for one caller, by circuit and caller. */
  const rests = new RecentMap<string, number>(MAX_COOLDOWNS)
  let lastRest = 0
  let moments = 0

  function change(way: CircuitKey, work: (circuit: Circuit) => void): void {
    const id = idOf(way)
    const known = circuits.get(id) ?? { way, circuit: new Circuit() }
    work(known.circuit)
    circuits.set(id, known)
    trouble.update(way, known.circuit)
  }

  return {
    openCircuits: () => trouble.count((circuit) => circuit.waitFrom(now()) > 0),
    hasOpenCircuit: (channelId) => trouble.hasChannel(channelId) || now() < lastRest,

    waitFor(way, callerId) {
      const [ofModel, ofKey] = trouble.find(way)
      const ofCaller = now() < lastRest ? (rests.get(cooldownId(way, callerId)) ?? 0) - now() : 0
      return Math.max(ofModel?.waitFrom(now()) ?? 0, ofKey?.waitFrom(now()) ?? 0, ofCaller)
    },

    acquire(way, callerId) {
      const wholeKey = { ...way, model: EVERY_MODEL }
      const begun = (moments += 1)
      let claimed = trouble.find(way).filter((circuit) => circuit?.acquireProbe(now()))
      const release = () => {
        for (const circuit of claimed) circuit?.release()
        claimed = []
      }
      return {
        release,
        succeeded() {
          release()
          change(way, (circuit) => circuit.succeeded(now(), begun))
          if (trouble.find(way)[1]) change(wholeKey, (circuit) => circuit.succeeded(now(), begun))
        },
        failed(failure) {
          release()
          if (failure.outcome === 'client') return
          const moment = (moments += 1)
          rest(way, callerId, failure)
          change(isAboutKey(failure) ? wholeKey : way, (circuit) =>
            punish(circuit, failure, { begun, moment, callerId }),
          )
        },
      }
    },
  }

  function rest(way: CircuitKey, callerId: number, { outcome, retryAfterSeconds = 0 }: Failure): void {
    if (outcome !== 'rate' || retryAfterSeconds <= 0) return
    const until = now() + cooldownMs(retryAfterSeconds)
    lastRest = Math.max(lastRest, until)
    rests.set(cooldownId(way, callerId), until)
  }

  function punish(
    circuit: Circuit,
    failure: Failure,
    { callerId, ...order }: { begun: number; moment: number; callerId: number },
  ): void {
    const { outcome, retryAfterSeconds = 0 } = failure
    const incident = { ...order, now: now(), growth: SERVER_COOLDOWN, ...(canBeProvoked(failure) && { callerId }) }
    if (outcome === 'auth' || outcome === 'credit') circuit.open({ ...incident, growth: KEY_COOLDOWN })
    else if (outcome === 'rate' && retryAfterSeconds > 0) circuit.coolDown(incident, cooldownMs(retryAfterSeconds))
    else circuit.failed(incident)
  }
}

/**
 * Whether a request can cause this failure at a provider that works: an error response, a response that takes too long, or
 * a connection that is closed while a large body is sent. A connection that cannot be opened and a key or account that is
 * rejected have nothing to do with the request, but a 403 may be about a file that the request names.
 */
function canBeProvoked({ outcome, kind, status }: Failure): boolean {
  if (kind === 'connect') return false
  return outcome !== 'credit' && (outcome !== 'auth' || status === 403)
}

/** A 403 may be about one model only that the account has no access to. */
function isAboutKey({ outcome, status }: Failure): boolean {
  return outcome === 'credit' || (outcome === 'auth' && status !== 403)
}

function idOf({ channelId, keyId, model }: CircuitKey): string {
  return `${channelId} ${keyId} ${model}`
}

function cooldownId(way: CircuitKey, callerId: number): string {
  return `${idOf(way)} ${callerId}`
}

function cooldownMs(seconds: number): number {
  return Math.min(MAX_COOLDOWN_MS, seconds * 1000)
}

const MIN_FAILURES = 5
const MIN_FAILURE_SHARE = 0.5
/** Longer than the longest attempt; a probe that never came back must not close the way for good. */
const PROBE_LIMIT_MS = 15 * 60_000
const PROBE_POLL_MS = 1_000

/** One failed attempt. */
interface CircuitFailure {
  readonly now: number
  readonly begun: number
  readonly moment: number
  readonly growth: CooldownRange
  /** Who made the request. Missing when no request can cause such a failure, as with a refused connection. */
  readonly callerId?: number
}

/** How long to stay away: twice as long with every time in a row, up to a bound. */
interface CooldownRange {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * Whether one way to a provider may be used. Closed: used by all. Open: by nobody, until it has cooled down. Then
 * half-open: one call tries it out, and what becomes of that call decides.
 *
 * Failures that a request can cause open it only when more than one caller sees them: one caller must not take a model
 * away from all others.
 *
 * `begun` and `moment` are numbers of one rising series, not times: a call that began before the circuit opened tells
 * nothing about whether it may close again, also within one millisecond.
 */
export class Circuit {
  readonly #window = new SlidingWindow()
  #openedAt: number | undefined
  #coolFrom = 0
  #coolUntil = 0
  #timesOpened = 0
  #probeUntil = 0
  #lastCaller: number | undefined
  #lastFailure = -Infinity
  /** When a caller other than the last one failed. */
  #otherFailure = -Infinity

  /** Open or half-open. */
  get isTripped(): boolean {
    return this.#openedAt !== undefined
  }

  /** Milliseconds until a call may come: 0 when it may come now. */
  waitFrom(now: number): number {
    if (!this.isTripped) return 0
    if (this.#isCooling(now)) return this.#coolUntil - now
    return now < this.#probeUntil ? PROBE_POLL_MS : 0
  }

  /** Takes the one trial of a half-open circuit; whether there was one to take. */
  acquireProbe(now: number): boolean {
    if (!this.isTripped || this.waitFrom(now) > 0) return false
    this.#probeUntil = now + PROBE_LIMIT_MS
    return true
  }

  release(): void {
    this.#probeUntil = 0
  }

  succeeded(now: number, begun: number): void {
    this.#window.record(now, 'succeeded')
    if (this.#openedAt === undefined || begun < this.#openedAt) return
    this.#openedAt = undefined
    this.#timesOpened = 0
    this.#window.clear() // or one more failure would open it again at once
  }

  /** A failure that opens the circuit together with enough others, or on its own when it was the trial. */
  failed(incident: CircuitFailure): void {
    const isCommon = this.#record(incident)
    if (this.isTripped) {
      if (this.#isTrial(incident)) this.#open(incident)
      return
    }
    const { succeeded, failed } = this.#window.counts(incident.now)
    const isFrequent = failed >= MIN_FAILURES && failed >= (failed + succeeded) * MIN_FAILURE_SHARE
    if (isFrequent && isCommon) this.#open(incident)
  }

  /** A failure after which the next call would fail too. */
  open(incident: CircuitFailure): void {
    const isCommon = this.#record(incident)
    if (this.isTripped ? this.#isTrial(incident) : isCommon) this.#open(incident)
  }

  /** The provider said how long to stay away. A limit that one caller alone reaches is no reason for all others. */
  coolDown(incident: CircuitFailure, milliseconds: number): void {
    const isCommon = this.#record(incident)
    if (!this.isTripped && !isCommon) return
    const { now, moment } = incident
    const until = now + milliseconds
    this.#coolUntil = this.#isCooling(now) ? Math.max(this.#coolUntil, until) : until
    this.#coolFrom = now
    this.#openedAt = moment
  }

  /** Whether more than one caller failed within the window, or the failure has nothing to do with its caller. */
  #record({ now, callerId }: CircuitFailure): boolean {
    this.#window.record(now, 'failed')
    if (callerId === undefined) return true
    if (callerId !== this.#lastCaller) this.#otherFailure = this.#lastFailure
    this.#lastCaller = callerId
    this.#lastFailure = now
    return now - this.#otherFailure < WINDOW_MS
  }

  /** Calls that were under way when it opened fail as well; they must not make it stay open for longer. */
  #isTrial({ now, begun }: CircuitFailure): boolean {
    return !this.#isCooling(now) && this.#openedAt !== undefined && begun > this.#openedAt
  }

  /** A clock that was set back must not make it wait until the time it showed before. */
  #isCooling(now: number): boolean {
    return now >= this.#coolFrom && now < this.#coolUntil
  }

  #open({ now, moment, growth: { firstMs, longestMs } }: CircuitFailure): void {
    this.#openedAt = moment
    this.#coolFrom = now
    this.#coolUntil = now + Math.min(longestMs, firstMs * 2 ** this.#timesOpened)
    this.#timesOpened += 1
    this.#probeUntil = 0
  }
}
