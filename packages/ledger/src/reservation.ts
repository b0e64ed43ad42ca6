import { ApiError, type ErrorCode } from '@tidegate/contract'
import { UNAVAILABLE_RETRY_SECONDS } from '@tidegate/storage'
import { buildSettlement, type SettledRequest } from './settlement/settlement.ts'
import type { Journal } from './journal/journal.ts'
import type { Account, ReserveOptions } from './leases/account.ts'
import type { LeaseBook } from './leases/lease-book.ts'
import type { AccountId } from './leases/lease-rows.ts'

export interface CreditRequest extends ReserveOptions {
  requestId: string
  userId: number
  /** 0 if no token is used. */
  tokenId: number
  tokenUnlimited: boolean
  amount: number
}

interface ReservationDeps {
  book: LeaseBook
  journal: Journal
  keepLog(): boolean
  /** Settles everything in the journal. */
  flush(): Promise<void>
  /** Called with every amount that an account could not pay. */
  uncovered?(amount: number): void
}

/** The database is unavailable. A request that cannot be billed is not served. */
export function settlementUnavailable(cause?: unknown): ApiError {
  return new ApiError('settlement_unavailable', {}, { cause, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
}

/** Credit reserved for one request: opened, perhaps extended, and then settled or released once. */
export class CreditReservation {
  readonly requestId: string
  readonly #request: CreditRequest
  readonly #deps: ReservationDeps
  /**
   * The token's account, if it has one, and the user's; both hold the same amount. The order is the same everywhere:
   * otherwise one process could hold the user's last credit and wait for the token's, while another holds the token's
   * and waits for the user's, and both would be rejected.
   */
  readonly #accounts: { id: AccountId; account: Account; errorCode: ErrorCode }[] = []
  #amount = 0
  #settling: Promise<void> | undefined
  #released = false

  constructor(request: CreditRequest, deps: ReservationDeps) {
    this.requestId = request.requestId
    this.#request = request
    this.#deps = deps
    const { userId, tokenId, tokenUnlimited } = request
    if (tokenId !== 0 && !tokenUnlimited) this.#addAccount({ userId, tokenId }, 'pre_consume_token_quota_failed')
    this.#addAccount({ userId, tokenId: 0 }, 'insufficient_user_quota')
  }

  #addAccount(id: AccountId, errorCode: ErrorCode): void {
    this.#accounts.push({ id, account: this.#deps.book.account(id), errorCode })
  }

  get amount(): number {
    return this.#amount
  }

  /** Throws an ApiError if an account does not hold the amount, or the minimum if the request has one. */
  async open(): Promise<void> {
    const { amount, minimum = amount, leaveHalf } = this.#request
    if (this.#addFromMemory(amount)) return
    const short = await this.#add(amount, { minimum, leaveHalf })
    if (short) throw new ApiError(short, { needed: minimum })
  }

  /** Raises the reservation to `total`. Returns the error of the account that is short; the reservation stays. */
  async extend(total: number): Promise<ErrorCode | undefined> {
    const more = total - this.#amount
    return more <= 0 || this.#addFromMemory(more) ? undefined : this.#add(more, {}, () => !this.#isOver)
  }

  /** Records how the request would be billed if the process crashed now. */
  checkpoint(outcome: SettledRequest): void {
    if (this.#isOver) return
    const charged = Math.min(outcome.receipt.quota, this.#amount)
    this.#deps.journal.checkpoint(buildSettlement(this.#base(), outcome, charged))
  }

  /** Resolves when the receipt survives a crash of this process. Repeated calls wait for the same settlement. */
  settle(outcome: SettledRequest): Promise<void> {
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

  async #settleOnce(outcome: SettledRequest): Promise<void> {
    if (this.#released) throw new Error('a released reservation cannot be settled')
    // Accounts never go below zero: what they do not hold is recorded as uncovered.
    const missing = outcome.receipt.quota - this.#amount
    if (missing > 0 && !this.#addFromMemory(missing)) await this.#add(missing, { minimum: 1 }).catch(() => undefined)
    const charged = Math.min(outcome.receipt.quota, this.#amount)
    if (charged < outcome.receipt.quota) this.#deps.uncovered?.(outcome.receipt.quota - charged)
    const written = this.#deps.journal.append(buildSettlement(this.#base(), outcome, charged))
    for (const { account } of this.#accounts) account.settle(this.#amount, charged)
    await written.catch(() => this.#deps.flush()) // if the disk fails, the database is the safe place
  }

  /** Like `#add`, if every account has enough in memory: without a query and without waiting. */
  #addFromMemory(amount: number): boolean {
    for (const drawn of this.#accounts) {
      if (this.#amount === 0) drawn.account = this.#deps.book.account(drawn.id)
      if (!drawn.account.has(amount)) return false
    }
    for (const { account } of this.#accounts) void account.reserve(amount)
    this.#amount += amount
    return true
  }

  /** Settled or released, perhaps while an extension waited for the database. */
  get #isOver(): boolean {
    return this.#settling !== undefined || this.#released
  }

  /**
   * Adds the same amount to the reservation on every account, or nothing. Returns the error of the account that does
   * not hold the minimum. Credit that is no longer needed is released.
   */
  async #add(amount: number, options: ReserveOptions, isNeeded = () => true): Promise<ErrorCode | undefined> {
    if (amount === 0) return undefined
    const reserved: { account: Account; amount: number }[] = []
    const releaseDownTo = (level: number) => {
      for (const held of reserved) if (held.amount > level) held.account.settle(held.amount - level, 0)
    }
    let common = amount
    for (const drawn of this.#accounts) {
      // The book may have forgotten an account without credit; a lease on a forgotten account would never be returned.
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
    if (!isNeeded()) {
      releaseDownTo(0)
      return 'settlement_unavailable'
    }
    this.#amount += common
    return undefined
  }

  #base() {
    const { requestId, userId, tokenId, tokenUnlimited } = this.#request
    return { requestId, userId, tokenId, tokenUnlimited, keepLog: this.#deps.keepLog() }
  }
}
