import type { BudgetSlice } from './budget-slice.ts'
import type { BudgetSource, SliceHolder } from './budget-source.ts'
import type { LeasePool } from './lease-pool.ts'
import type { ConcurrencyLease } from './limiter.ts'

interface SliceDemand {
  least: number
  cost: number
}

/** What the next trip carries. */
interface Batch {
  readonly slices: Map<BudgetSlice, SliceDemand>
  readonly surrendered: Set<BudgetSlice>
  readonly pools: Map<LeasePool, number>
  readonly freed: ConcurrencyLease[]
  readonly done: PromiseWithResolvers<void>
}

/**
 * Collects the orders of a process for the source. One trip is under way at a time and carries everything that was
 * ordered in the meantime, so the number of trips does not grow with the number of requests.
 */
export function createSourceQueue(source: BudgetSource, holder: () => SliceHolder, now: () => number) {
  let next: Batch | undefined
  let running: Promise<void> | undefined
  let orders = 0

  function batch(): Batch {
    if (!next) {
      const done = Promise.withResolvers<void>()
      done.promise.catch(() => {}) // orders in advance have no caller
      next = { slices: new Map(), surrendered: new Set(), pools: new Map(), freed: [], done }
      running ??= run()
    }
    return next
  }

  function takeBatch(): Batch | undefined {
    const taken = next
    next = undefined
    return taken
  }

  async function run(): Promise<void> {
    await Promise.resolve() // collects the orders of this turn
    for (let current = takeBatch(); current; current = takeBatch()) {
      try {
        await send(current)
        current.done.resolve()
      } catch (error) {
        current.done.reject(error)
        takeBatch()?.done.reject(error) // a source that hangs delays requests once
      }
    }
    running = undefined
  }

  async function send({ slices, surrendered, pools, freed, done }: Batch): Promise<void> {
    const who = holder()
    const sentMs = now()
    for (const slice of surrendered) if (!slices.has(slice)) slices.set(slice, { least: 0, cost: 0 })
    const sliceOrders = [...slices].map(([slice, demand]) =>
      surrendered.has(slice) && demand.cost === 0
        ? slice.surrender(sentMs)
        : slice.order(sentMs, demand, who.processes),
    )
    const leaseOrders = [...pools].map(([pool, need]) => pool.order(need, who.processes, `${who.process}/${++orders}/`))
    const ordered = [...slices.keys(), ...pools.keys()]
    for (const each of ordered) each.trip = done.promise
    try {
      const [grants, taken] = await Promise.all([
        sliceOrders.length > 0 ? source.takeSlices(who, sliceOrders) : [],
        leaseOrders.length > 0 ? source.takeLeases(who, leaseOrders) : [],
        freed.length > 0 && source.freeLeases(freed),
      ])
      const receivedMs = now()
      for (const [index, slice] of [...slices.keys()].entries())
        slice.receive(grants[index]!, sliceOrders[index]!, sentMs, receivedMs)
      for (const [index, pool] of [...pools.keys()].entries()) {
        pool.receive(taken[index]!, leaseOrders[index]!.prefix, sentMs)
      }
    } finally {
      for (const each of ordered) each.trip = undefined
    }
  }

  return {
    /** Resolves when the source has decided about `cost` more units. A cost of 0 is an order in advance. */
    orderUnits(slice: BudgetSlice, cost: number): Promise<void> {
      const { slices, done } = batch()
      const demand = slices.get(slice)
      if (demand) {
        demand.least = demand.cost === 0 ? cost : Math.min(demand.least, cost || demand.least)
        demand.cost += cost
      } else slices.set(slice, { least: cost, cost })
      return done.promise
    },
    orderLease(pool: LeasePool): Promise<void> {
      const { pools, done } = batch()
      pools.set(pool, (pools.get(pool) ?? 0) + 1)
      return done.promise
    },
    returnUnits(slice: BudgetSlice): void {
      batch().surrendered.add(slice)
    },
    returnLeases(leases: readonly ConcurrencyLease[]): void {
      if (leases.length > 0) batch().freed.push(...leases)
    },
    /** Resolves when the source has decided about everything that was ordered so far. */
    async flushed(): Promise<void> {
      await (next?.done.promise ?? running)
    },
  }
}
