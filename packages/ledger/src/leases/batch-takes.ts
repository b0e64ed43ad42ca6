import type { AccountId, LeaseAmounts, LeaseRequest } from './lease-rows.ts'

/** How orders reach the database. */
export interface LeaseQueries {
  /** Waits for a concurrent change of the account. Returns 0 when it does not hold the minimum. */
  takeOne(order: LeaseRequest): Promise<number>
  /** Waits for nobody: `undefined` for accounts that are being changed or do not hold enough. */
  takeMany(orders: readonly LeaseRequest[]): Promise<(number | undefined)[]>
}

interface PendingTake extends LeaseRequest {
  resolve(amount: number): void
  reject(error: unknown): void
}

/**
 * Takes leases for many accounts in one trip: orders that arrive while one is under way go together on the next. A site
 * with a thousand users who call now and then would otherwise ask the database for nearly every call. Such a trip waits
 * for nobody, so that an account which is being changed holds up its own calls only: they go alone.
 */
export function batchTakes(queries: LeaseQueries): (account: AccountId, amounts: LeaseAmounts) => Promise<number> {
  let pending: PendingTake[] = []
  let isRunning = false

  async function run(): Promise<void> {
    const orders = pending
    pending = []
    try {
      const amounts = await queries.takeMany(orders)
      for (const [index, order] of orders.entries()) {
        const amount = amounts[index]
        if (amount === undefined) queries.takeOne(order).then(order.resolve, order.reject)
        else order.resolve(amount)
      }
    } catch (error) {
      for (const { reject: failed } of orders) failed(error)
    }
    isRunning = false
    if (pending.length > 0) schedule()
  }

  /** After this turn of the event loop: a call asks for its user and its token in one. */
  function schedule(): void {
    isRunning = true
    setImmediate(() => void run())
  }

  return ({ userId, tokenId }, amounts) =>
    new Promise((taken, failed) => {
      pending.push({ userId, tokenId, ...amounts, resolve: taken, reject: failed })
      if (!isRunning) schedule()
    })
}
