import type { AccountId, Amounts, Need } from './lease-rows.ts'

/** How orders reach the database. */
export interface LeaseTrips {
  /** Waits for a concurrent change of the account. Returns 0 when it does not hold the minimum. */
  one(order: Need): Promise<number>
  /** Waits for nobody: `undefined` for accounts that are being changed or do not hold enough. */
  together(orders: readonly Need[]): Promise<(number | undefined)[]>
}

interface Order extends Need {
  taken(amount: number): void
  failed(error: unknown): void
}

/**
 * Takes leases for many accounts in one trip: orders that arrive while one is under way go together on the next. A site
 * with a thousand users who call now and then would otherwise ask the database for nearly every call. Such a trip waits
 * for nobody, so that an account which is being changed holds up its own calls only: they go alone.
 */
export function takeTogether(trips: LeaseTrips): (account: AccountId, amounts: Amounts) => Promise<number> {
  let waiting: Order[] = []
  let isUnderWay = false

  async function travel(): Promise<void> {
    const orders = waiting
    waiting = []
    try {
      const given = await trips.together(orders)
      for (const [index, order] of orders.entries()) {
        const amount = given[index]
        if (amount === undefined) trips.one(order).then(order.taken, order.failed)
        else order.taken(amount)
      }
    } catch (error) {
      for (const { failed } of orders) failed(error)
    }
    isUnderWay = false
    if (waiting.length > 0) leave()
  }

  /** After this turn of the event loop: a call asks for its user and its token in one. */
  function leave(): void {
    isUnderWay = true
    setImmediate(() => void travel())
  }

  return ({ userId, tokenId }, amounts) =>
    new Promise((taken, failed) => {
      waiting.push({ userId, tokenId, ...amounts, taken, failed })
      if (!isUnderWay) leave()
    })
}
