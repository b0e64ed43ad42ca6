import type { ErrorCode, Quota } from '@tidegate/contract'
import type { Receipt, Usage } from '@tidegate/pricing'
import type { LogDraft } from './records.ts'

export interface Credit {
  /** Throws a ApiError: insufficient_user_quota, pre_consume_token_quota_failed or settlement_unavailable. */
  reserve(order: CreditOrder): Promise<Reservation>
}

export interface CreditOrder {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly tokenUnlimited: boolean
  readonly amount: Quota
  /** The least that is reserved when an account does not hold the amount; the whole amount when left out. */
  readonly minimum?: Quota
  /** Of an account that does not hold the amount, takes half, so that the next request finds some too. */
  readonly leavesHalf?: boolean
}

export interface Reservation {
  readonly requestId: string
  readonly amount: Quota
  /** Raises what is held to `total`. Returns the error of the account that is short; what is held stays held. */
  extend(total: Quota): Promise<ErrorCode | undefined>
  /** Notes how the call would be billed if the process died now. */
  checkpoint(settlement: Settlement): void
  /**
   * Charges the receipt, beyond what is held as far as the accounts reach; the rest is recorded as uncovered. Resolves
   * when durable; the same request is booked once, however often it is asked for.
   */
  settle(settlement: Settlement): Promise<void>
  release(): Promise<void>
}

export interface Settlement {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly log: LogDraft
}
