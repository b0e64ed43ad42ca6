import type { ConcurrencyLease, RequestLimiter } from './limiter.ts'

/**
 * Holds the budgets that processes share. It leases slices of them, which processes spend without asking again. Redis is
 * one; the supervisor of a process family can be another.
 */
export interface BudgetSource extends RequestLimiter {
  /** Leases slices in one round trip. Returns a grant for each order. */
  takeSlices(holder: SliceHolder, orders: readonly SliceOrder[]): Promise<SliceGrant[]>
  /** Takes concurrency leases for later requests. Returns how many each order got. */
  takeLeases(holder: SliceHolder, orders: readonly LeaseOrder[]): Promise<number[]>
  freeLeases(leases: readonly Pick<ConcurrencyLease, 'key' | 'holder'>[]): Promise<void>
  /** Registers a process for `PROCESS_SECONDS`. Returns the number of registered processes. */
  registerProcess(process: string): Promise<number>
}

export interface SliceHolder {
  /** Unique across nodes. */
  readonly process: string
  /** The number of processes that share the source. */
  readonly processes: number
}

/** How much an order gets: `need`, and up to `extra` of what is left. Nothing if not even `least` is available. */
interface Demand {
  readonly least: number
  readonly need: number
  readonly extra: number
}

export interface SliceOrder extends Demand {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** Units of earlier slices that this process may still spend. */
  readonly held: number
  /** Unspent units that this process returns; below 0, units that it spent beyond its slices. */
  readonly refund: number
}

export interface SliceGrant {
  readonly units: number
  /** Until the budget is full again, without the units that processes hold. */
  readonly resetMs: number
}

export interface LeaseOrder extends Demand {
  readonly key: string
  readonly limit: number
  /** The holders of the leases are `<prefix>1`, `<prefix>2` and so on. */
  readonly prefix: string
}

/** A process that does not register for this time does not count. */
export const PROCESS_SECONDS = 15

/** How long a process may spend a slice. Short, so that units of an idle process return soon. */
export function sliceLifeMs(windowSeconds: number): number {
  return Math.min(2_000, windowSeconds * 100)
}

/** When the source gives up units that were not returned: they count as spent. */
export function sliceExpiryMs(windowSeconds: number): number {
  return sliceLifeMs(windowSeconds) + 2 * RETURN_MS
}

/** Units can be returned for this time after the end of a slice. An order may be under way as long again. */
export const RETURN_MS = 1_000

/** Of what is left after the need, one process takes at most this share in advance: the last units stay exact. */
export function extraShare(processes: number): number {
  return 2 * processes
}

export function grantedOf({ least, need, extra }: Demand, available: number, processes: number): number {
  if (available < Math.max(1, Math.min(least, need + extra))) return 0
  if (available <= need) return available
  return need + Math.min(extra, Math.floor((available - need) / extraShare(processes)))
}
