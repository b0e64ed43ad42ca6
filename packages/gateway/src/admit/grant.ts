import type { ErrorCode } from '@tidegate/contract'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Credit, CreditOrder, Reservation, Settlement } from '../ports.ts'

/** Credit held for one call: reserved, and then either settled or released, once. */
export class Grant {
  readonly #reservation: Reservation
  #state: 'reserved' | 'settled' | 'released' = 'reserved'

  private constructor(reservation: Reservation) {
    this.#reservation = reservation
  }

  static async reserve(
    credit: Credit,
    requestId: string,
    { userId, tokenId, unlimitedQuota }: Caller,
    amount: number,
    options: Pick<CreditOrder, 'minimum' | 'leavesHalf'> = {},
  ): Promise<Grant> {
    const order = { requestId, userId, tokenId, tokenUnlimited: unlimitedQuota, amount, ...options }
    return new Grant(await credit.reserve(order))
  }

  /** Neither settled nor released yet. */
  get isOpen(): boolean {
    return this.#state === 'reserved'
  }

  get amount(): number {
    return this.#reservation.amount
  }

  /** Holds `total` in all. Returns the error of the account that is short. */
  async extend(total: number): Promise<ErrorCode | undefined> {
    return this.#state === 'reserved' ? this.#reservation.extend(total) : 'settlement_unavailable'
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
