import type { FailureClass, FailureKind } from '@tidegate/providers'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { StateExchange } from '../ports/index.ts'
import { SlidingWindow, WINDOW_MS } from './channel-metrics.ts'
import { EVERY_MODEL, OpenCircuits, type CircuitKey } from './open-circuits.ts'

export interface Failure {
  readonly outcome: FailureClass
  /** Missing when it is not known where the exchange failed. */
  readonly kind?: FailureKind
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** Permission for one attempt. Holds the probe of a half-open circuit until it is released or has a result. */
interface CircuitPermit {
  recordSuccess(): void
  recordFailure(failure: Failure): void
  /** Ends the attempt without a result. Does nothing after a result. */
  release(): void
}

/** Half-open: the cooldown ended, and the result of one probe decides. */
export type CircuitState = 'closed' | 'open' | 'half_open'

export interface CircuitBreaker {
  /** The state for all callers: that of the model or of the whole key, whichever is worse. */
  stateOf(key: CircuitKey): CircuitState
  /** Milliseconds until the caller may use the circuit: 0 when it may use it now. */
  waitFor(key: CircuitKey, callerId: number): number
  /** False when no circuit of the channel is open. Saves a check of each of its keys. */
  hasOpenCircuit(channelId: number): boolean
  acquire(key: CircuitKey, callerId: number): CircuitPermit
  /** Circuits that may not be used now. */
  openCircuits(): number
}

export interface HealthOptions {
  now(): number
  /** The other gateways of the site. */
  readonly exchange?: StateExchange | undefined
}

/** What gateways share about a circuit. Failures below the threshold stay with the process that saw them. */
interface SharedCircuit {
  readonly key: CircuitKey
  /** Undefined when it closed. */
  readonly trip?: CircuitTrip | undefined
}

interface CircuitEntry {
  readonly key: CircuitKey
  readonly circuit: Circuit
}

const MAX_CIRCUITS = 10_000
const SERVER_COOLDOWN: CooldownRange = { firstMs: 5_000, longestMs: 60_000 }
const KEY_COOLDOWN: CooldownRange = { firstMs: 60_000, longestMs: 600_000 }
const MAX_COOLDOWN_MS = 600_000
const MAX_COOLDOWNS = 1_000

/**
 * Stops requests to what just failed. A rejected key, or one without credit, is not used for any model; other failures
 * concern one model of one key. Client errors do not count.
 */
export function createCircuitBreaker({ now, exchange }: HealthOptions): CircuitBreaker {
  const tripped = new OpenCircuits<Circuit>()
  const circuits = new LRUCache<string, CircuitEntry>({
    ...cacheLimit(MAX_CIRCUITS),
    dispose: ({ key }, _id, reason) => {
      if (reason === 'evict') tripped.remove(key)
    },
  })
  /** Until when the circuit is open for one caller, by circuit and caller. */
  const callerCooldowns = new LRUCache<string, number>(cacheLimit(MAX_COOLDOWNS))
  let lastCooldown = 0
  let lastSequence = 0

  function change(key: CircuitKey, work: (circuit: Circuit) => void): void {
    const id = idOf(key)
    const known = circuits.get(id) ?? { key, circuit: new Circuit() }
    const before = known.circuit.trip
    work(known.circuit)
    circuits.set(id, known)
    tripped.update(key, known.circuit)
    const { trip } = known.circuit
    if (trip?.until === before?.until) return
    const value: SharedCircuit = { key, trip }
    exchange?.publish({ topic: 'circuit', id, value, expiresAt: trip?.until ?? 0 })
  }

  exchange?.subscribe('circuit', (id, { key, trip }: SharedCircuit) => {
    const known = circuits.get(id)
    if (!known && !trip) return
    const entry = known ?? { key, circuit: new Circuit() }
    entry.circuit.adopt(trip, { now: now(), sequence: (lastSequence += 1) })
    circuits.set(id, entry)
    tripped.update(key, entry.circuit)
  })
  exchange?.subscribe('caller-cooldown', setCallerCooldown)

  function setCallerCooldown(id: string, until: number): void {
    lastCooldown = Math.max(lastCooldown, until)
    callerCooldowns.set(id, until)
  }

  return {
    openCircuits: () => tripped.count((circuit) => circuit.waitFrom(now()) > 0),
    hasOpenCircuit: (channelId) => tripped.hasChannel(channelId) || now() < lastCooldown,

    stateOf(key) {
      const states = tripped.find(key).map((circuit) => circuit?.stateAt(now()) ?? 'closed')
      return states.find((state) => state === 'open') ?? states.find((state) => state === 'half_open') ?? 'closed'
    },

    waitFor(key, callerId) {
      const [ofModel, ofKey] = tripped.find(key)
      const ofCaller = now() < lastCooldown ? (callerCooldowns.peek(cooldownId(key, callerId)) ?? 0) - now() : 0
      return Math.max(ofModel?.waitFrom(now()) ?? 0, ofKey?.waitFrom(now()) ?? 0, ofCaller)
    },

    acquire(key, callerId) {
      const wholeKey = { ...key, model: EVERY_MODEL }
      const begun = (lastSequence += 1)
      let claimed = tripped.find(key).filter((circuit) => circuit?.acquireProbe(now()))
      const release = () => {
        for (const circuit of claimed) circuit?.release()
        claimed = []
      }
      return {
        release,
        recordSuccess() {
          release()
          change(key, (circuit) => circuit.recordSuccess(now(), begun))
          if (tripped.find(key)[1]) change(wholeKey, (circuit) => circuit.recordSuccess(now(), begun))
        },
        recordFailure(failure) {
          release()
          if (failure.outcome === 'client') return
          const sequence = (lastSequence += 1)
          coolDownCaller(key, callerId, failure)
          change(isAboutKey(failure) ? wholeKey : key, (circuit) =>
            applyFailure(circuit, failure, { begun, sequence, callerId }),
          )
        },
      }
    },
  }

  function coolDownCaller(key: CircuitKey, callerId: number, { outcome, retryAfterSeconds = 0 }: Failure): void {
    if (outcome !== 'rate' || retryAfterSeconds <= 0) return
    const until = now() + cooldownMs(retryAfterSeconds)
    const id = cooldownId(key, callerId)
    setCallerCooldown(id, until)
    exchange?.publish({ topic: 'caller-cooldown', id, value: until, expiresAt: until })
  }

  function applyFailure(
    circuit: Circuit,
    failure: Failure,
    { callerId, ...sequenceNumbers }: { begun: number; sequence: number; callerId: number },
  ): void {
    const { outcome, retryAfterSeconds = 0 } = failure
    const circuitFailure = {
      ...sequenceNumbers,
      now: now(),
      growth: SERVER_COOLDOWN,
      ...(canBeProvoked(failure) && { callerId }),
    }
    if (outcome === 'auth' || outcome === 'credit') circuit.open({ ...circuitFailure, growth: KEY_COOLDOWN })
    else if (outcome === 'rate' && retryAfterSeconds > 0)
      circuit.coolDown(circuitFailure, cooldownMs(retryAfterSeconds))
    else circuit.recordFailure(circuitFailure)
  }
}

/**
 * Whether a request can cause this failure at a working provider: an error response, a slow response, or a connection
 * that is closed while a large body is sent. A connection that cannot be opened and a rejected key or account do not
 * depend on the request, but a 403 may be about a file that the request names.
 */
function canBeProvoked({ outcome, kind, status }: Failure): boolean {
  if (kind === 'connect') return false
  return outcome !== 'credit' && (outcome !== 'auth' || status === 403)
}

/** A 403 may be about one model that the account has no access to. */
function isAboutKey({ outcome, status }: Failure): boolean {
  return outcome === 'credit' || (outcome === 'auth' && status !== 403)
}

function idOf({ channelId, keyId, model }: CircuitKey): string {
  return `${channelId} ${keyId} ${model}`
}

function cooldownId(key: CircuitKey, callerId: number): string {
  return `${idOf(key)} ${callerId}`
}

function cooldownMs(seconds: number): number {
  return Math.min(MAX_COOLDOWN_MS, seconds * 1000)
}

const MIN_FAILURES = 5
const MIN_FAILURE_SHARE = 0.5
/** Longer than the longest attempt. A probe that never ends must not block the circuit forever. */
const PROBE_LIMIT_MS = 15 * 60_000
const PROBE_POLL_MS = 1_000

/** One failed attempt. */
interface CircuitFailure {
  readonly now: number
  readonly begun: number
  readonly sequence: number
  readonly growth: CooldownRange
  /** The caller of the request. Missing when no request can cause such a failure, as with a refused connection. */
  readonly callerId?: number
}

/** Cooldown times: doubled each time in a row, up to a maximum. */
interface CooldownRange {
  readonly firstMs: number
  readonly longestMs: number
}

/** An open circuit, as another process sees it. */
interface CircuitTrip {
  /** When the cooldown ends. */
  readonly until: number
  readonly timesOpened: number
}

/**
 * The state of one model and key of a channel. Closed: all requests may use it. Open: no request may use it until the
 * cooldown ends. Half-open: one request probes it, and its result decides.
 *
 * Failures that a request can cause open the circuit only when more than one caller sees them: one caller must not
 * block a model for all others.
 *
 * `begun` and `sequence` are numbers of one increasing sequence, not times: a request that began before the circuit
 * opened does not decide whether it closes, even within the same millisecond.
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

  get trip(): CircuitTrip | undefined {
    return this.isTripped ? { until: this.#coolUntil, timesOpened: this.#timesOpened } : undefined
  }

  /** Takes over the state that another process published. */
  adopt(trip: CircuitTrip | undefined, { now, sequence }: Pick<CircuitFailure, 'now' | 'sequence'>): void {
    if (!trip) return this.#close()
    this.#openedAt = sequence
    this.#coolFrom = now
    this.#coolUntil = trip.until
    // Processes probe separately: two failed probes must not double the cooldown twice.
    this.#timesOpened = Math.max(this.#timesOpened, trip.timesOpened)
    this.#probeUntil = 0
  }

  stateAt(now: number): CircuitState {
    if (!this.isTripped) return 'closed'
    return this.#isCooling(now) ? 'open' : 'half_open'
  }

  /** Milliseconds until a request may use it: 0 when it may now. */
  waitFrom(now: number): number {
    if (!this.isTripped) return 0
    if (this.#isCooling(now)) return this.#coolUntil - now
    return now < this.#probeUntil ? PROBE_POLL_MS : 0
  }

  /** Acquires the probe of a half-open circuit. Returns whether it was available. */
  acquireProbe(now: number): boolean {
    if (!this.isTripped || this.waitFrom(now) > 0) return false
    this.#probeUntil = now + PROBE_LIMIT_MS
    return true
  }

  release(): void {
    this.#probeUntil = 0
  }

  recordSuccess(now: number, begun: number): void {
    this.#window.record(now, 'succeeded')
    if (this.#openedAt === undefined || begun < this.#openedAt) return
    this.#close()
  }

  /** Opens the circuit together with enough other failures, or alone when it was the probe. */
  recordFailure(failure: CircuitFailure): void {
    const isCommon = this.#record(failure)
    if (this.isTripped) {
      if (this.#isProbe(failure)) this.#open(failure)
      return
    }
    const { succeeded, failed } = this.#window.counts(failure.now)
    const isFrequent = failed >= MIN_FAILURES && failed >= (failed + succeeded) * MIN_FAILURE_SHARE
    if (isFrequent && isCommon) this.#open(failure)
  }

  /** Opens the circuit at once: the next request would fail too. */
  open(failure: CircuitFailure): void {
    const isCommon = this.#record(failure)
    if (this.isTripped ? this.#isProbe(failure) : isCommon) this.#open(failure)
  }

  /** The provider sent Retry-After. A limit that only one caller reaches does not affect the others. */
  coolDown(failure: CircuitFailure, milliseconds: number): void {
    const isCommon = this.#record(failure)
    if (!this.isTripped && !isCommon) return
    const { now, sequence } = failure
    const until = now + milliseconds
    this.#coolUntil = this.#isCooling(now) ? Math.max(this.#coolUntil, until) : until
    this.#coolFrom = now
    this.#openedAt = sequence
  }

  /**
   * Returns whether more than one caller failed within the window, or whether the failure does not depend on the
   * caller.
   */
  #record({ now, callerId }: CircuitFailure): boolean {
    this.#window.record(now, 'failed')
    if (callerId === undefined) return true
    if (callerId !== this.#lastCaller) this.#otherFailure = this.#lastFailure
    this.#lastCaller = callerId
    this.#lastFailure = now
    return now - this.#otherFailure < WINDOW_MS
  }

  /** Requests that were running when the circuit opened fail too. They must not extend the cooldown. */
  #isProbe({ now, begun }: CircuitFailure): boolean {
    return !this.#isCooling(now) && this.#openedAt !== undefined && begun > this.#openedAt
  }

  /** When the clock is set back, the cooldown ends. */
  #isCooling(now: number): boolean {
    return now >= this.#coolFrom && now < this.#coolUntil
  }

  #close(): void {
    this.#openedAt = undefined
    this.#timesOpened = 0
    this.#window.clear() // or one more failure would open it again at once
  }

  #open({ now, sequence, growth: { firstMs, longestMs } }: CircuitFailure): void {
    this.#openedAt = sequence
    this.#coolFrom = now
    this.#coolUntil = now + Math.min(longestMs, firstMs * 2 ** this.#timesOpened)
    this.#timesOpened += 1
    this.#probeUntil = 0
  }
}
