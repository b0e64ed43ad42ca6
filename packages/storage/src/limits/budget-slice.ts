import { extraShare, RETURN_MS, sliceLifeMs, type SliceGrant, type SliceOrder } from './budget-source.ts'
import type { Budget, BudgetState } from './limiter.ts'
import { ROUNDING_MS, stateOf } from './memory-budgets.ts'

/** One process holds at most this share of a limit, divided by the number of processes. */
const HELD_SHARE = 1 / 8
/** Slices grow slowly from one request: most callers send few. */
const GROWTH = 4
/** A slice is enough for this time of the recent rate. */
const TARGET_MS = 1_500
/** Below this size, a slice is not worth a trip in advance. */
const SMALLEST_REFILL = 4
/** How long the source counts as exhausted without asking it again. Other processes may return units. */
const EXHAUSTED_MS = 50

/** The units of one budget that this process has leased and not spent. */
export class BudgetSlice implements Budget {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** The trip that carries an order of this slice. */
  trip: Promise<void> | undefined
  #units = 0
  /** Refunds of requests, and below 0 what they used beyond the slice. The next order carries it to the source. */
  #correction = 0
  #expiresMs = -Infinity
  /** When the budget is full again, as the source reported it. It counts units of this slice as spent. */
  #fullMs = -Infinity
  #reportedMs = -Infinity
  #orderedMs = -Infinity
  #spentMs = -Infinity
  #spentSinceOrder = 0
  /** Units that the last trip brought for later requests. */
  #advance = 0

  constructor({ key, limit, windowSeconds }: Budget) {
    this.key = key
    this.limit = limit
    this.windowSeconds = windowSeconds
  }

  get #windowMs(): number {
    return this.windowSeconds * 1_000
  }

  get #stepMs(): number {
    return this.#windowMs / this.limit
  }

  get isCorrected(): boolean {
    return this.#correction !== 0
  }

  get isEmpty(): boolean {
    return this.#units === 0 && this.#correction === 0
  }

  isFor({ limit, windowSeconds }: Budget): boolean {
    return this.limit === limit && this.windowSeconds === windowSeconds
  }

  has(cost: number, nowMs: number): boolean {
    return this.#units >= cost && nowMs < this.#expiresMs
  }

  spend(cost: number, nowMs: number): void {
    this.#units -= cost
    this.#spentSinceOrder += cost
    this.#spentMs = nowMs
  }

  /** Charges also beyond the slice. Refunds only what has not refilled since. */
  correct(cost: number, nowMs: number): void {
    if (cost < 0) {
      this.#correction += Math.min(-cost, Math.max(0, this.#refundable(nowMs) - this.#correction))
      return
    }
    const fromSlice = Math.max(0, Math.min(cost, this.#units))
    if (fromSlice > 0) this.spend(fromSlice, nowMs)
    this.#correction -= cost - fromSlice
  }

  /** Until the source can grant what is missing, as far as it is known here. */
  waitMs(cost: number, nowMs: number): number {
    return this.#fullMs + (cost - this.#units - this.#correction) * this.#stepMs - nowMs - this.#windowMs
  }

  /** The source has just reported that it cannot grant what is missing. */
  isExhausted(cost: number, nowMs: number): boolean {
    return nowMs - this.#reportedMs <= EXHAUSTED_MS && this.waitMs(cost, nowMs) > ROUNDING_MS
  }

  /** A trip now saves a request from waiting for one later. */
  needsRefill(nowMs: number, processes: number): boolean {
    if (this.trip || this.#advance < SMALLEST_REFILL) return false
    const isLow = this.#units * 3 < this.#advance
    const isOld = this.#expiresMs - nowMs < sliceLifeMs(this.windowSeconds) / 4
    if (!isLow && !isOld) return false
    const left = (nowMs + this.#windowMs - this.#fullMs) / this.#stepMs
    return left >= extraShare(processes)
  }

  isIdle(nowMs: number): boolean {
    return nowMs >= this.#expiresMs || nowMs - this.#spentMs >= sliceLifeMs(this.windowSeconds) / 2
  }

  /** An order for requests that wait for `cost` together, of which one needs `least`, and for later requests. */
  order(nowMs: number, { least, cost }: { least: number; cost: number }, processes: number): SliceOrder {
    const { key, limit, windowSeconds } = this
    const refund = this.#takeRefund(nowMs, nowMs < this.#expiresMs ? this.#units : 0)
    const held = this.#units
    const extra = this.#extra(nowMs, held, processes)
    this.#orderedMs = nowMs
    this.#spentSinceOrder = 0
    return {
      key,
      limit,
      windowSeconds,
      held,
      refund,
      extra,
      least: Math.max(0, least - held),
      need: Math.max(0, cost - held),
    }
  }

  /** Returns all units. */
  surrender(nowMs: number): SliceOrder {
    const { key, limit, windowSeconds } = this
    const refund = this.#takeRefund(nowMs, 0)
    return { key, limit, windowSeconds, held: 0, refund, least: 0, need: 0, extra: 0 }
  }

  /** The slice lives from the time when its order was sent, so that it ends here before it ends at the source. */
  receive({ units, resetMs }: SliceGrant, { need }: SliceOrder, sentMs: number, nowMs: number): void {
    this.#units += units
    this.#advance = Math.max(0, units - need)
    this.#expiresMs = sentMs + sliceLifeMs(this.windowSeconds)
    this.report(resetMs, nowMs)
  }

  /** What the source reported when it was asked directly. */
  report(resetMs: number, nowMs: number): void {
    this.#fullMs = nowMs + resetMs
    this.#reportedMs = nowMs
  }

  /** What is left at the source and in this slice. Other processes may hold more. */
  state(nowMs: number): BudgetState {
    return stateOf(this, this.#fullMs - (this.#units + this.#correction) * this.#stepMs, nowMs)
  }

  /**
   * Leaves `kept` units. The source has given up units whose slice ended long ago, so they are not returned.
   */
  #takeRefund(nowMs: number, kept: number): number {
    const returned = nowMs - this.#expiresMs < RETURN_MS ? this.#units - kept : 0
    const refund = returned + Math.min(this.#correction, this.#refundable(nowMs))
    this.#units = kept
    this.#correction = 0
    this.#fullMs -= refund * this.#stepMs
    return refund
  }

  /** Spent units that have not refilled. */
  #refundable(nowMs: number): number {
    return Math.max(0, Math.floor((this.#fullMs - nowMs + ROUNDING_MS) / this.#stepMs) - this.#units)
  }

  #extra(nowMs: number, held: number, processes: number): number {
    const elapsedMs = Math.max(1, nowMs - this.#orderedMs)
    if (elapsedMs > 2 * TARGET_MS) return 0
    const spent = this.#spentSinceOrder
    const wanted = Math.min(spent * GROWTH, (spent / elapsedMs) * TARGET_MS, (this.limit * HELD_SHARE) / processes)
    return Math.max(0, Math.floor(wanted) - held)
  }
}
