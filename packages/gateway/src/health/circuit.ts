import { SlidingWindow, WINDOW_MS } from './sliding-window.ts'

const MIN_FAILURES = 5
const MIN_FAILURE_SHARE = 0.5
/** Longer than the longest attempt; a probe that never came back must not close the way for good. */
const PROBE_LIMIT_MS = 15 * 60_000
const PROBE_POLL_MS = 1_000

/** One failed attempt. */
export interface Incident {
  readonly now: number
  readonly begun: number
  readonly moment: number
  readonly growth: Growth
  /** Who made the request. Missing when no request can cause such a failure, as with a refused connection. */
  readonly callerId?: number
}

/** How long to stay away: twice as long with every time in a row, up to a bound. */
export interface Growth {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * Whether one way to a vendor may be used. Closed: used by all. Open: by nobody, until it has cooled down. Then
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
  get troubled(): boolean {
    return this.#openedAt !== undefined
  }

  /** Milliseconds until a call may come: 0 when it may come now. */
  waitFrom(now: number): number {
    if (!this.troubled) return 0
    if (this.#isCooling(now)) return this.#coolUntil - now
    return now < this.#probeUntil ? PROBE_POLL_MS : 0
  }

  /** Takes the one trial of a half-open circuit; whether there was one to take. */
  claim(now: number): boolean {
    if (!this.troubled || this.waitFrom(now) > 0) return false
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
  failed(incident: Incident): void {
    const isCommon = this.#record(incident)
    if (this.troubled) {
      if (this.#isTrial(incident)) this.#open(incident)
      return
    }
    const { succeeded, failed } = this.#window.counts(incident.now)
    const isFrequent = failed >= MIN_FAILURES && failed >= (failed + succeeded) * MIN_FAILURE_SHARE
    if (isFrequent && isCommon) this.#open(incident)
  }

  /** A failure after which the next call would fail too. */
  shut(incident: Incident): void {
    const isCommon = this.#record(incident)
    if (this.troubled ? this.#isTrial(incident) : isCommon) this.#open(incident)
  }

  /** The provider said how long to stay away. A limit that one caller alone reaches is no reason for all others. */
  rest(incident: Incident, milliseconds: number): void {
    const isCommon = this.#record(incident)
    if (!this.troubled && !isCommon) return
    const { now, moment } = incident
    const until = now + milliseconds
    this.#coolUntil = this.#isCooling(now) ? Math.max(this.#coolUntil, until) : until
    this.#coolFrom = now
    this.#openedAt = moment
  }

  /** Whether more than one caller failed within the window, or the failure has nothing to do with its caller. */
  #record({ now, callerId }: Incident): boolean {
    this.#window.record(now, 'failed')
    if (callerId === undefined) return true
    if (callerId !== this.#lastCaller) this.#otherFailure = this.#lastFailure
    this.#lastCaller = callerId
    this.#lastFailure = now
    return now - this.#otherFailure < WINDOW_MS
  }

  /** Calls that were under way when it opened fail as well; they must not make it stay open for longer. */
  #isTrial({ now, begun }: Incident): boolean {
    return !this.#isCooling(now) && this.#openedAt !== undefined && begun > this.#openedAt
  }

  /** A clock that was set back must not make it wait until the time it showed before. */
  #isCooling(now: number): boolean {
    return now >= this.#coolFrom && now < this.#coolUntil
  }

  #open({ now, moment, growth: { firstMs, longestMs } }: Incident): void {
    this.#openedAt = moment
    this.#coolFrom = now
    this.#coolUntil = now + Math.min(longestMs, firstMs * 2 ** this.#timesOpened)
    this.#timesOpened += 1
    this.#probeUntil = 0
  }
}
