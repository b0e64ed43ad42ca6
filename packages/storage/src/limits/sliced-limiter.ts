import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { randomUUID } from 'node:crypto'
import { BudgetSlice } from './budget-slice.ts'
import { type BudgetSource, PROCESS_SECONDS } from './budget-source.ts'
import { LeasePool } from './lease-pool.ts'
import {
  type AcquireRequest,
  type AcquireResult,
  type Budget,
  type BudgetState,
  type ConcurrencyLease,
  LEASE_WAIT_SECONDS,
  type ReleaseRequest,
  type RequestLimiter,
} from './limiter.ts'
import { toRetryAfter } from './memory-budgets.ts'
import { createSourceQueue } from './source-queue.ts'

/** Below this many requests per process, slices would be too small to save trips. */
const SLICED_REQUESTS_PER_PROCESS = 32
/** Below this many leases per process, a process could not keep one without use. */
const POOLED_LEASES_PER_PROCESS = 8
/** Smaller limits are exact for up to four processes. */
const SMALLEST_SLICED_LIMIT = 128
/** Three attempts before this process does not count. */
const REGISTER_MS = (PROCESS_SECONDS * 1_000) / 3
const MAX_SLICES = 50_000
/** Each trip serves or rejects a request, unless others take the units first. */
const MAX_TRIPS = 10

export interface SlicedLimiterOptions {
  /** A monotonic clock, in milliseconds. */
  now?: () => number
  processId?: string
}

export interface SlicedLimiter extends RequestLimiter {
  /** Registers this process, renews its leases, and returns what no request needs. Call it every second. */
  maintain(): Promise<void>
  /** Returns everything that no request uses. */
  close(): Promise<void>
  /** Frees the lease of a request that ended, as far as this process keeps it for a later request. */
  freeLease(holder: string): boolean
  /** The last known number of processes that share the source. */
  processes(): number
  /** Until a budget is full, as far as it is known here. */
  resetMs(key: string): number | undefined
}

interface Share {
  readonly slice: BudgetSlice
  readonly cost: number
  readonly standing: boolean
}

/**
 * Serves requests from slices of the shared budgets, without I/O while a slice lasts. A limit is never exceeded, because
 * units are leased before they are spent. A request with a small limit asks the source directly.
 */
export function slicedLimiter(source: BudgetSource, options: SlicedLimiterOptions = {}): SlicedLimiter {
  const { now = () => performance.now(), processId = randomUUID() } = options
  const slices = new LRUCache<string, BudgetSlice>(cacheLimit(MAX_SLICES))
  /** Slices with units that may have to be returned. */
  const active = new Set<BudgetSlice>()
  const pools = new Map<string, LeasePool>()
  /** The leases of running requests, by request. */
  const pooled = new Map<string, { pool: LeasePool; holder: string }>()
  /** Unknown until this process has registered. */
  let processes = 0
  let registeredMs = -Infinity
  const queue = createSourceQueue(source, () => ({ process: processId, processes }), now)

  function isSliced(limit: number, cost = 1): boolean {
    return processes > 0 && limit >= SMALLEST_SLICED_LIMIT && limit >= SLICED_REQUESTS_PER_PROCESS * processes * cost
  }

  function isPooled({ limit }: ConcurrencyLease): boolean {
    return processes > 0 && limit >= POOLED_LEASES_PER_PROCESS * processes
  }

  function sliceOf(budget: Budget): BudgetSlice {
    const known = slices.get(budget.key)
    if (known?.isFor(budget)) return known
    if (known) {
      queue.returnUnits(known)
      active.delete(known)
    }
    const slice = new BudgetSlice(budget)
    slices.set(budget.key, slice)
    return slice
  }

  function poolOf(lease: ConcurrencyLease): LeasePool {
    let pool = pools.get(lease.key)
    if (!pool) pools.set(lease.key, (pool = new LeasePool(lease)))
    pool.limit = lease.limit
    return pool
  }

  /** Undefined when the source has to be asked directly. Then it is asked for everything, because that is one trip too. */
  function sharesOf({ budgets, lease }: AcquireRequest): Share[] | undefined {
    if (lease && !isPooled(lease)) return undefined
    const shares: Share[] = []
    for (const budget of budgets) {
      const { limit, windowSeconds, cost = 1, standing = false } = budget
      if (!(limit > 0 && windowSeconds > 0 && cost > 0)) continue
      if (!isSliced(limit, cost)) return undefined
      shares.push({ slice: sliceOf(budget), cost, standing })
    }
    return shares
  }

  /** Undefined when the source has to decide. */
  function acquireLocally(shares: readonly Share[], lease: ConcurrencyLease | undefined): AcquireResult | undefined {
    const nowMs = now()
    const pool = lease && poolOf(lease)
    let isComplete = !pool || pool.hasFree(nowMs)
    let isExhausted = false
    let mayCountStanding = false
    for (const { slice, cost, standing } of shares) {
      if (slice.has(cost, nowMs)) continue
      isComplete = false
      if (slice.isExhausted(cost, nowMs)) isExhausted = true
      // The source decides whether the rejected request counts.
      else if (standing) mayCountStanding = true
    }
    if (isExhausted && !mayCountStanding) return rejection(shares, undefined)
    if (!isComplete) return undefined
    if (pool) pooled.set(lease.holder, { pool, holder: pool.take() })
    const budgets = shares.map(({ slice, cost }) => {
      spend(slice, cost, nowMs)
      return slice.state(nowMs)
    })
    return { allowed: true, budgets }
  }

  function spend(slice: BudgetSlice, cost: number, nowMs: number): void {
    slice.spend(cost, nowMs)
    if (!slice.needsRefill(nowMs, processes)) return
    active.add(slice)
    void queue.orderUnits(slice, 0)
  }

  /** `lease` is given if none was free. */
  function rejection(shares: readonly Share[], lease: ConcurrencyLease | undefined): AcquireResult {
    const nowMs = now()
    const missing = shares.filter(({ slice, cost }) => !slice.has(cost, nowMs))
    let longestMs = lease ? LEASE_WAIT_SECONDS * 1_000 : 0
    let key = lease?.key ?? (missing[0] ?? shares[0]!).slice.key
    for (const { slice, cost } of missing) {
      const waitMs = slice.waitMs(cost, nowMs)
      if (waitMs < longestMs) continue
      longestMs = waitMs
      key = slice.key
    }
    const countsStanding = !missing.some(({ standing }) => standing)
    const budgets = shares.map(({ slice, cost, standing }) => {
      if (standing && countsStanding) {
        spend(slice, cost, nowMs)
        // A retry also takes from the standing budgets.
        longestMs = Math.max(longestMs, slice.waitMs(cost, nowMs))
      }
      return slice.state(nowMs)
    })
    return { allowed: false, retryAfterSeconds: Math.max(1, toRetryAfter(longestMs)), key, budgets }
  }

  async function acquireFromSource(shares: readonly Share[], lease?: ConcurrencyLease): Promise<AcquireResult> {
    const pool = lease && poolOf(lease)
    for (let trip = 0; trip < MAX_TRIPS; trip++) {
      const nowMs = now()
      const lacking = shares.filter(({ slice, cost }) => !slice.has(cost, nowMs))
      const lacksLease = pool && !pool.hasFree(nowMs)
      const underWay = lacking.flatMap(({ slice }) => slice.trip ?? [])
      if (lacksLease && pool.trip) underWay.push(pool.trip)
      const isWaiting = underWay.length > 0
      await Promise.all(isWaiting ? underWay : order(lacking, lacksLease ? pool : undefined))
      for (const { slice } of lacking) active.add(slice)
      const result = acquireLocally(shares, lease)
      if (result) return result
      if (!isWaiting && lacksLease && !pool.hasFree(now())) return rejection(shares, lease)
    }
    return rejection(shares, undefined)
  }

  function order(shares: readonly Share[], pool: LeasePool | undefined): Promise<void>[] {
    const trips = shares.map(({ slice, cost }) => queue.orderUnits(slice, cost))
    return pool ? [...trips, queue.orderLease(pool)] : trips
  }

  async function acquireDirectly(request: AcquireRequest): Promise<AcquireResult> {
    const result = await source.acquire(request)
    report(request.budgets, result.budgets)
    return result
  }

  async function releaseDirectly(request: ReleaseRequest): Promise<BudgetState[]> {
    const states = await source.release(request)
    report(request.budgets, states)
    return states
  }

  /** Remembers the state for the case that the source becomes unavailable. */
  function report(budgets: readonly Budget[], states: readonly BudgetState[]): void {
    const nowMs = now()
    for (const { key, resetSeconds } of states) {
      const budget = budgets.find((each) => each.key === key)
      if (budget) sliceOf(budget).report(resetSeconds * 1_000, nowMs)
    }
  }

  function freeLease(requestHolder: string): boolean {
    const lease = pooled.get(requestHolder)
    if (!lease) return false
    pooled.delete(requestHolder)
    queue.returnLeases(lease.pool.putBack(lease.holder, processes))
    return true
  }

  function correct(budget: Required<Budget>, nowMs: number): BudgetState {
    const slice = sliceOf(budget)
    slice.correct(budget.cost, nowMs)
    active.add(slice)
    if (slice.isCorrected && !slice.trip) void queue.orderUnits(slice, 0)
    return slice.state(nowMs)
  }

  function sweep(nowMs: number): void {
    for (const slice of active) {
      if (slice.trip) continue
      if (slice.isEmpty) active.delete(slice)
      else if (slice.isIdle(nowMs)) queue.returnUnits(slice)
      else if (slice.isCorrected) void queue.orderUnits(slice, 0)
    }
    for (const pool of pools.values()) {
      queue.returnLeases(pool.sweep())
      if (pool.isEmpty && !pool.trip) pools.delete(pool.key)
    }
  }

  async function register(nowMs: number): Promise<void> {
    if (nowMs - registeredMs < REGISTER_MS) return
    processes = await source.registerProcess(processId)
    registeredMs = nowMs
  }

  async function renewPools(nowMs: number): Promise<void> {
    const due = [...pools.values()].map((pool) => ({ pool, leases: pool.leasesToRenew(nowMs) }))
    const leases = due.flatMap((each) => each.leases)
    if (leases.length === 0) return
    await source.renew(leases)
    for (const { pool, leases: renewed } of due) if (renewed.length > 0) pool.renewed(nowMs)
  }

  return {
    acquire(request) {
      const shares = sharesOf(request)
      if (!shares) return acquireDirectly(request)
      return acquireLocally(shares, request.lease) ?? acquireFromSource(shares, request.lease)
    },
    release(request) {
      const { budgets, lease } = request
      if (lease && !freeLease(lease.holder)) return releaseDirectly(request)
      if (!budgets.every(({ key, limit }) => isSliced(limit) && slices.has(key))) return releaseDirectly({ budgets })
      const nowMs = now()
      return budgets.map((budget) => correct(budget, nowMs))
    },
    async renew(leases) {
      const direct = leases.filter(({ holder }) => !pooled.has(holder))
      if (direct.length > 0) await source.renew(direct)
    },
    async maintain() {
      const nowMs = now()
      sweep(nowMs)
      await Promise.all([queue.flushed(), renewPools(nowMs), register(nowMs)])
    },
    async close() {
      for (const slice of active) queue.returnUnits(slice)
      active.clear()
      for (const pool of pools.values()) queue.returnLeases(pool.removeFree())
      await queue.flushed()
    },
    freeLease,
    processes: () => Math.max(1, processes),
    resetMs(key) {
      const state = slices.get(key)?.state(now())
      return state && state.resetSeconds * 1_000
    },
  }
}
