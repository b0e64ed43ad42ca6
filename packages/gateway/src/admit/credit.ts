import { type ErrorCode, ApiError, type Quota } from '@tidegate/contract'
import type { Call } from '../http/api-request.ts'
import type { Credit, CreditOrder, Ports, Reservation, Settlement, Caller } from '../ports/index.ts'

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

/** What keeps the grant from holding `needed`: too little credit, or books that cannot be asked. */
export async function shortageOf(grant: Grant, needed: Quota): Promise<ApiError | undefined> {
  try {
    const short = await grant.extend(needed)
    return short && new ApiError(short, { needed })
  } catch (error) {
    // What was sent must be billed all the same, as far as it is held.
    return error instanceof ApiError ? error : new ApiError('settlement_unavailable', {}, { cause: error })
  }
}

/** The credit outlives a failure to give it back; the client's answer must not change for it. */
export async function release(
  { log }: Pick<Ports, 'log'>,
  grant: Grant,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<void> {
  try {
    await grant.release()
  } catch (error) {
    log.error({ err: error, requestId }, 'reserved credit could not be released')
  }
}
