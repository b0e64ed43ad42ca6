import type { ErrorCode, Quota } from '@tidegate/contract'
import type { Receipt, Usage } from '@tidegate/pricing'
import type { SettlementLog } from './records.ts'

export interface Credit {
  /**
   * Reserves at once where the process holds enough credit of the accounts. Throws or rejects with an ApiError:
   * insufficient_user_quota, pre_consume_token_quota_failed or settlement_unavailable.
   */
  reserve(request: ReserveRequest): CreditReservation | Promise<CreditReservation>
}

export interface ReserveRequest {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly tokenUnlimited: boolean
  readonly amount: Quota
  /** The least amount to reserve when the account does not cover `amount`. By default the whole amount. */
  readonly minimum?: Quota
  /** Takes half of an account that does not cover the amount, so that the next request finds some credit too. */
  readonly leaveHalf?: boolean
  /** The accounts had credit when they were last loaded: they may be overdrawn while the database is away. */
  readonly mayOverdraw?: boolean
}

/** Credit reserved for one request. It is either settled or released, once. */
export interface CreditReservation {
  readonly amount: Quota
  /** Neither settled nor released yet. */
  readonly isOpen: boolean
  /**
   * Raises the reservation to `total`, at once where the process holds enough credit. Returns the error of the account
   * that does not cover it; the reservation stays as it was.
   */
  extend(total: Quota): ErrorCode | undefined | Promise<ErrorCode | undefined>
  /** Records how the request would be billed if the process crashed now. */
  checkpoint(settlement: Settlement): void
  /**
   * Charges the receipt, beyond the reservation as far as the accounts allow; the rest is recorded as uncovered.
   * Resolves when durable. Repeated calls for one request charge once.
   */
  settle(settlement: Settlement): Promise<void>
  /** Does nothing after a settlement, also a failed one, which may have been written before the failure. */
  release(): void
}

/** What is charged for a request. Its log row is made later, when the settlement is applied. */
export interface Settlement {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly log: SettlementLog
}
