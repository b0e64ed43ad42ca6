import type { AccountId, LeaseAmounts, LeaseRequest } from './lease-rows.ts'

/** Queries that take leases. */
export interface LeaseQueries {
  /** Waits for a concurrent change of the account. Returns 0 if it does not hold the minimum. */
  takeOne(take: LeaseRequest): Promise<number>
  /** Does not wait: `undefined` for accounts that are locked or do not hold enough. */
  takeMany(takes: readonly LeaseRequest[]): Promise<(number | undefined)[]>
}

interface PendingTake extends LeaseRequest {
  resolve(amount: number): void
  reject(error: unknown): void
}

/**
 * Takes leases for many accounts in one query: requests that arrive while one runs share the next. A site with many
 * occasional users would otherwise query the database for nearly every request. A shared query does not wait for locks,
 * so a locked account delays only its own requests, which are retried alone.
 */
export function batchTakes(queries: LeaseQueries): (account: AccountId, amounts: LeaseAmounts) => Promise<number> {
  let pending: PendingTake[] = []
  let isRunning = false

  async function run(): Promise<void> {
    const takes = pending
    pending = []
    try {
      const amounts = await queries.takeMany(takes)
      for (const [index, take] of takes.entries()) {
        const amount = amounts[index]
        if (amount === undefined) queries.takeOne(take).then(take.resolve, take.reject)
        else take.resolve(amount)
      }
    } catch (error) {
      for (const { reject } of takes) reject(error)
    }
    isRunning = false
    if (pending.length > 0) schedule()
  }

  /** After this event loop turn, because a request needs a lease of its user and of its token. */
  function schedule(): void {
    isRunning = true
    setImmediate(() => void run())
  }

  return ({ userId, tokenId }, amounts) =>
    new Promise((resolve, reject) => {
      pending.push({ userId, tokenId, ...amounts, resolve, reject })
      if (!isRunning) schedule()
    })
}
