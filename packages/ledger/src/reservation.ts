import { ApiError, type ErrorCode } from '@tidegate/contract'
import { UNAVAILABLE_RETRY_SECONDS } from '@tidegate/storage'
import { hasOwnAccount, type SettledRequest, type SettlementBase } from './settlement/settlement.ts'
import type { Journal } from './journal/journal.ts'
import type { Account, ReserveOptions } from './leases/account.ts'
import type { LeaseBook } from './leases/lease-book.ts'
import type { OutageCredit } from './leases/outage-credit.ts'

/** The token id is 0 if no token is used. */
export interface CreditRequest extends ReserveOptions, SettlementBase {
  readonly amount: number
  /** The accounts had credit when the database last responded: they may be overdrawn while it is away. */
  readonly mayOverdraw?: boolean
}

interface ReservationDeps {
  book: LeaseBook
  journal: Journal
  keepLog(): boolean
  /** Resolves when what was written is in the journal, or in the database if the disk fails. */
  afterWrite(written: Promise<void>): Promise<void>
  outageCredit?: OutageCredit
  /** Called with every amount that an account could not pay. */
  uncovered?(amount: number): void
}

/** The database is unavailable. A request that cannot be billed is not served. */
export function settlementUnavailable(cause?: unknown): ApiError {
  return new ApiError('settlement_unavailable', {}, { cause, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
}

/**
 * Credit reserved for one request: opened, perhaps extended, and then settled or released once. While the leases of the
 * process cover it, nothing here waits.
 */
export class CreditReservation {
  readonly #request: CreditRequest
  readonly #deps: ReservationDeps
  /**
   * The token's account, if it has one, and the user's; both hold the same amount. The token's comes first everywhere:
   * otherwise one process could hold the user's last credit and wait for the token's, while another holds the token's
   * and waits for the user's, and both would be rejected.
   */
  #tokenAccount: Account | undefined
  #userAccount: Account
  #amount = 0
  /** The part of the amount that no lease covers. */
  #overdraft = 0
  #settling: Promise<void> | undefined
  #released = false

  constructor(request: CreditRequest, deps: ReservationDeps) {
    this.#request = request
    this.#deps = deps
    const { userId, tokenId } = request
    if (hasOwnAccount(request)) this.#tokenAccount = deps.book.account({ userId, tokenId })
    this.#userAccount = deps.book.account({ userId, tokenId: 0 })
  }

  get amount(): number {
    return this.#amount
  }

  /** Neither settled nor released, which may happen while an extension waits for the database. */
  get isOpen(): boolean {
    return this.#settling === undefined && !this.#released
  }

  /** Throws or rejects with an ApiError if an account does not hold the amount, or the minimum if the request has one. */
  open(): this | Promise<this> {
    return this.#addFromMemory(this.#request.amount) ? this : this.#openFromSource()
  }

  async #openFromSource(): Promise<this> {
    const { amount, minimum = amount, leaveHalf } = this.#request
    const short = await this.#add(amount, { minimum, leaveHalf })
    if (short) throw new ApiError(short, { needed: minimum })
    return this
  }

  /** Raises the reservation to `total`. Returns the error of the account that is short; the reservation stays. */
  extend(total: number): ErrorCode | undefined | Promise<ErrorCode | undefined> {
    if (!this.isOpen) return 'settlement_unavailable'
    const more = total - this.#amount
    if (more <= 0) return undefined
    this.#findAccounts()
    return this.#addFromMemory(more) ? undefined : this.#add(more, {}, () => this.isOpen)
  }

  /** Records how the request would be billed if the process crashed now. */
  checkpoint(outcome: SettledRequest): void {
    if (this.isOpen) this.#deps.journal.checkpoint(this.#charge(outcome))
  }

  /** Resolves when the receipt survives a crash of this process. Repeated calls wait for the same settlement. */
  settle(outcome: SettledRequest): Promise<void> {
    this.#settling ??= this.#settleOnce(outcome)
    return this.#settling
  }

  /** Does nothing after a settlement, also a failed one: it may have been written before the failure. */
  release(): void {
    if (!this.isOpen) return
    this.#released = true
    this.#deps.journal.release(this.#request.requestId)
    this.#freeAccounts(0)
  }

  #freeAccounts(spent: number): void {
    const leased = this.#amount - this.#overdraft
    const ofLease = Math.min(spent, leased)
    this.#tokenAccount?.settle(leased, ofLease)
    this.#userAccount.settle(leased, ofLease)
    if (this.#overdraft > 0) {
      this.#deps.outageCredit!.giveBack(this.#request.userId, this.#overdraft - (spent - ofLease))
    }
  }

  #settleOnce(outcome: SettledRequest): Promise<void> {
    if (this.#released) return Promise.reject(new Error('a released reservation cannot be settled'))
    // Accounts never go below zero: what they do not hold is recorded as uncovered.
    const missing = outcome.receipt.quota - this.#amount
    if (missing <= 0) return this.#write(outcome)
    this.#findAccounts()
    if (this.#addFromMemory(missing)) return this.#write(outcome)
    return this.#add(missing, { minimum: 1 })
      .catch(() => undefined)
      .then(() => this.#write(outcome))
  }

  #write(outcome: SettledRequest): Promise<void> {
    const charge = this.#charge(outcome)
    const uncovered = outcome.receipt.quota - charge.charged
    if (uncovered > 0) this.#deps.uncovered?.(uncovered)
    let written: Promise<void>
    try {
      written = this.#deps.journal.append(charge)
    } catch (error) {
      this.#freeAccounts(0) // it is not recorded, so it cannot be charged
      return Promise.reject(error)
    }
    this.#freeAccounts(charge.charged)
    return this.#deps.afterWrite(written)
  }

  #charge(outcome: SettledRequest) {
    const charged = Math.min(outcome.receipt.quota, this.#amount)
    const overdrawn = Math.max(0, charged - (this.#amount - this.#overdraft))
    return {
      base: this.#request,
      outcome,
      charged,
      ...(overdrawn > 0 && { overdrawn }),
      keepLog: this.#deps.keepLog(),
    }
  }

  /** Like `#add`, if every account has enough in memory: without a query and without waiting. */
  #addFromMemory(amount: number): boolean {
    if (this.#tokenAccount?.has(amount) === false || !this.#userAccount.has(amount)) return false
    void this.#tokenAccount?.reserve(amount)
    void this.#userAccount.reserve(amount)
    this.#amount += amount
    return true
  }

  /** The book may have forgotten an account without credit; a lease on a forgotten account would never be returned. */
  #findAccounts(): void {
    if (this.#amount > this.#overdraft) return
    if (this.#tokenAccount) this.#tokenAccount = this.#deps.book.account(this.#tokenAccount.id)
    this.#userAccount = this.#deps.book.account(this.#userAccount.id)
  }

  /**
   * Adds the same amount to the reservation on every account, or nothing. Returns the error of the account that does
   * not hold the minimum. Credit that is no longer needed is released.
   */
  async #add(amount: number, options: ReserveOptions, isNeeded = () => true): Promise<ErrorCode | undefined> {
    if (amount === 0) return undefined
    const token = this.#tokenAccount
    let common = amount
    try {
      if (token) common = await token.reserve(common, options)
    } catch (error) {
      return this.#overdraw(amount, options, isNeeded, error)
    }
    if (common === 0) return 'pre_consume_token_quota_failed'
    // It may have been forgotten while the token's account waited.
    if (this.#amount === this.#overdraft) this.#userAccount = this.#deps.book.account(this.#userAccount.id)
    const user = this.#userAccount
    const ofToken = common
    try {
      common = await user.reserve(common, options)
    } catch (error) {
      token?.settle(ofToken, 0)
      return this.#overdraw(amount, options, isNeeded, error)
    }
    if (ofToken > common) token?.settle(ofToken - common, 0)
    if (common === 0) return 'insufficient_user_quota'
    if (!isNeeded()) {
      token?.settle(common, 0)
      user.settle(common, 0)
      return 'settlement_unavailable'
    }
    this.#amount += common
    return undefined
  }

  /** The database is away. The operator may allow some credit without a lease. */
  #overdraw(
    amount: number,
    { minimum = amount }: ReserveOptions,
    isNeeded: () => boolean,
    cause: unknown,
  ): ErrorCode | undefined {
    const { userId, mayOverdraw } = this.#request
    const taken = mayOverdraw ? (this.#deps.outageCredit?.take(userId, { amount, minimum }) ?? 0) : 0
    if (taken === 0) throw settlementUnavailable(cause)
    if (!isNeeded()) {
      this.#deps.outageCredit!.giveBack(userId, taken)
      return 'settlement_unavailable'
    }
    this.#amount += taken
    this.#overdraft += taken
    return undefined
  }
}
