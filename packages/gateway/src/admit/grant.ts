import { estimateReserve, type ModelPrice } from '@tidegate/pricing'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Credit, Reservation, Settlement } from '../ports.ts'

/** Credit held for one call: reserved, and then either settled or released, once. */
export class Grant {
  readonly #reservation: Reservation
  #state: 'reserved' | 'settled' | 'released' = 'reserved'

  private constructor(reservation: Reservation) {
    this.#reservation = reservation
  }

  static async reserve(credit: Credit, requestId: string, caller: Caller, amount: number): Promise<Grant> {
    const { userId, tokenId, unlimitedQuota } = caller
    return new Grant(await credit.reserve({ requestId, userId, tokenId, tokenUnlimited: unlimitedQuota, amount }))
  }

  /** Neither settled nor released yet. */
  get isOpen(): boolean {
    return this.#state === 'reserved'
  }

  get amount(): number {
    return this.#reservation.amount
  }

  /** Holds `total` in all. False when the accounts do not reach that far. */
  async extend(total: number): Promise<boolean> {
    return this.#state === 'reserved' && (await this.#reservation.extend(total))
  }

  checkpoint(settlement: Settlement): void {
    if (this.#state === 'reserved') this.#reservation.checkpoint(settlement)
  }

  /** A settlement that fails is not undone by a release: it may have been written before the failure. */
  async settle(settlement: Settlement): Promise<void> {
    if (this.#state !== 'reserved') throw new Error(`the grant is already ${this.#state}`)
    this.#state = 'settled'
    await this.#reservation.settle(settlement)
  }

  /** Gives the credit back; after a settlement, or a second time, there is nothing left to give. */
  async release(): Promise<void> {
    if (this.#state !== 'reserved') return
    this.#state = 'released'
    await this.#reservation.release()
  }
}

/** Enough for the dearest channel that might serve the call: which one it will be is not known yet. */
export function amountToReserve(
  prices: readonly ModelPrice[],
  expected: { promptTokens: number; maxTokens: number; preConsumedTokens: number },
): number {
  return Math.max(...prices.map((price) => estimateReserve(price, expected)))
}
