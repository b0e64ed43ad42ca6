import { ApiError, type ErrorCode } from '@tidegate/contract'
import { UNAVAILABLE_RETRY_SECONDS } from '@tidegate/storage'
import { buildSettlement, type Outcome } from './settlement/settlement.ts'
import type { Journal } from './journal/journal.ts'
import type { Account, ReserveOptions } from './leases/account.ts'
import type { LeaseBook } from './leases/lease-book.ts'
import type { AccountId } from './leases/lease-rows.ts'

export interface CreditOrder extends ReserveOptions {
  requestId: string
  userId: number
  /** 0 when no token is involved. */
  tokenId: number
  tokenUnlimited: boolean
  amount: number
}

interface ReservationDeps {
  book: LeaseBook
  journal: Journal
  keepLog(): boolean
  /** Carries what is journalled into the database. */
  flush(): Promise<void>
  /** Called with every amount that an account could not pay. */
  uncovered?(amount: number): void
}

/** The database could not be asked. A request that cannot be billed is not served. */
export function settlementUnavailable(cause?: unknown): ApiError {
  return new ApiError('settlement_unavailable', {}, { cause, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
}

/** Credit set aside for one call: opened, perhaps extended, and then settled or released, once. */
export class Reservation {
  readonly requestId: string
  readonly #order: CreditOrder
  readonly #deps: ReservationDeps
  /**
   * The token's account when it has one, and the user's; both hold the same amount. In this order everywhere: a call that
   * held the user's last credit here while it waited for the token's could not be served by one elsewhere that held the
   * token's and waited for the user's, and both would be refused what is there.
   */
  readonly #accounts: { id: AccountId; account: Account; errorCode: ErrorCode }[] = []
  #amount = 0
  #settling: Promise<void> | undefined
  #released = false

  constructor(order: CreditOrder, deps: ReservationDeps) {
    this.requestId = order.requestId
    this.#order = order
    this.#deps = deps
    const { userId, tokenId, tokenUnlimited } = order
    if (tokenId !== 0 && !tokenUnlimited) this.#addAccount({ userId, tokenId }, 'pre_consume_token_quota_failed')
    this.#addAccount({ userId, tokenId: 0 }, 'insufficient_user_quota')
  }

  #addAccount(id: AccountId, errorCode: ErrorCode): void {
    this.#accounts.push({ id, account: this.#deps.book.account(id), errorCode })
  }

  get amount(): number {
    return this.#amount
  }

  /** Throws a ApiError when an account does not hold the amount, nor the minimum where the order has one. */
  async open(): Promise<void> {
    const { amount, minimum = amount, leavesHalf } = this.#order
    if (this.#addFromMemory(amount)) return
    const short = await this.#add(amount, { minimum, leavesHalf })
    if (short) throw new ApiError(short, { needed: minimum })
  }

  /** Raises the reservation to `total`. Returns the error of the account that is short; what is reserved stays. */
  async extend(total: number): Promise<ErrorCode | undefined> {
    const more = total - this.#amount
    return more <= 0 || this.#addFromMemory(more) ? undefined : this.#add(more, {}, () => !this.#isOver)
  }

  /** Notes how the call would be billed if the process died now. */
  checkpoint(outcome: Outcome): void {
    if (this.#isOver) return
    const charged = Math.min(outcome.receipt.quota, this.#amount)
    this.#deps.journal.checkpoint(buildSettlement(this.#base(), outcome, charged))
  }

  /** Resolves when the receipt survives the death of this process. Asking again waits for the same one. */
  settle(outcome: Outcome): Promise<void> {
    this.#settling ??= this.#settleOnce(outcome)
    return this.#settling
  }

  async release(): Promise<void> {
    if (this.#settling) return this.#settling
    if (this.#released) return
    this.#released = true
    this.#deps.journal.release(this.requestId)
    for (const { account } of this.#accounts) account.settle(this.#amount, 0)
  }

  async #settleOnce(outcome: Outcome): Promise<void> {
    if (this.#released) throw new Error('a released reservation cannot be settled')
    // The accounts never go below zero: what they do not have is recorded as uncovered.
    const missing = outcome.receipt.quota - this.#amount
    if (missing > 0 && !this.#addFromMemory(missing)) await this.#add(missing, { minimum: 1 }).catch(() => undefined)
    const charged = Math.min(outcome.receipt.quota, this.#amount)
    if (charged < outcome.receipt.quota) this.#deps.uncovered?.(outcome.receipt.quota - charged)
    const written = this.#deps.journal.append(buildSettlement(this.#base(), outcome, charged))
    for (const { account } of this.#accounts) account.settle(this.#amount, charged)
    await written.catch(() => this.#deps.flush()) // a disk that fails leaves the database as the place to be safe
  }

  /** The same as below where every account has enough at hand, as most have: without a trip, and without waiting. */
  #addFromMemory(amount: number): boolean {
    for (const drawn of this.#accounts) {
      if (this.#amount === 0) drawn.account = this.#deps.book.account(drawn.id)
      if (!drawn.account.has(amount)) return false
    }
    for (const { account } of this.#accounts) void account.reserve(amount)
    this.#amount += amount
    return true
  }

  /** Settled or released, also while an extension waited for the database. */
  get #isOver(): boolean {
    return this.#settling !== undefined || this.#released
  }

  /**
   * Adds the same amount to the reservation on every account, or nothing. Returns the error of the account that does not
   * hold the minimum. What is no longer wanted when the accounts answer is given back.
   */
  async #add(amount: number, options: ReserveOptions, isWanted = () => true): Promise<ErrorCode | undefined> {
    if (amount === 0) return undefined
    const reserved: { account: Account; amount: number }[] = []
    const releaseDownTo = (kept: number) => {
      for (const held of reserved) if (held.amount > kept) held.account.settle(held.amount - kept, 0)
    }
    let common = amount
    for (const drawn of this.#accounts) {
      // The book may have forgotten an account while nothing of it was held; what is leased on a forgotten one never
      // goes back.
      if (this.#amount === 0) drawn.account = this.#deps.book.account(drawn.id)
      try {
        common = await drawn.account.reserve(common, options)
      } catch (error) {
        releaseDownTo(0)
        throw settlementUnavailable(error)
      }
      releaseDownTo(common)
      if (common === 0) return drawn.errorCode
      for (const held of reserved) held.amount = common
      reserved.push({ account: drawn.account, amount: common })
    }
    if (!isWanted()) {
      releaseDownTo(0)
      return 'settlement_unavailable'
    }
    this.#amount += common
    return undefined
  }

  #base() {
    const { requestId, userId, tokenId, tokenUnlimited } = this.#order
    return { requestId, userId, tokenId, tokenUnlimited, keepLog: this.#deps.keepLog() }
  }
}
