import type { ErrorCode, Quota } from '@tidegate/contract'
import type { Receipt, Usage } from '@tidegate/pricing'
import type { LogFields } from './records.ts'

export interface Credit {
  /** Throws an ApiError: insufficient_user_quota, pre_consume_token_quota_failed or settlement_unavailable. */
  reserve(request: ReserveRequest): Promise<Reservation>
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
}

export interface Reservation {
  readonly requestId: string
  readonly amount: Quota
  /**
   * Raises the reservation to `total`. Returns the error of the account that does not cover it; the reservation stays
   * as it was.
   */
  extend(total: Quota): Promise<ErrorCode | undefined>
  /** Records how the request would be billed if the process crashed now. */
  checkpoint(settlement: Settlement): void
  /**
   * Charges the receipt, beyond the reservation as far as the accounts allow; the rest is recorded as uncovered.
   * Resolves when durable. Repeated calls for one request charge once.
   */
  settle(settlement: Settlement): Promise<void>
  release(): Promise<void>
}

export interface Settlement {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly log: LogFields
}
