import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface RedemptionTable {
  id: Generated<number>
  created_by: number
  /** The code in plain, of earlier versions, until the worker has sealed it. */
  key: string | null
  key_hash: string | null
  sealed_key: string | null
  status: Generated<number>
  name: string
  quota: number
  is_gift: Generated<boolean>
  max_uses: Generated<number>
  used_count: Generated<number>
  used_user_id: number | null
  valid_from: NullableTime
  valid_until: NullableTime
  created_at: Time
  redeemed_at: NullableTime
  deleted_at: NullableTime
}

export interface RedemptionUseTable {
  redemption_id: number
  user_id: number
  used_at: Time
}

export interface TopUpTable {
  id: Generated<number>
  user_id: number
  trade_no: string
  units: string
  quota: number
  money: string
  payment_method: string
  status: Generated<'pending' | 'success' | 'expired' | 'failed'>
  created_at: Time
  completed_at: NullableTime
  provider: Generated<string>
  currency: Generated<string>
  /** What the provider calls the order. */
  provider_reference: Generated<string>
  expires_at: NullableTime
  /** Why credit of a successful order was taken back; blank when none was. */
  reversal: Generated<'' | 'partly_refunded' | 'refunded' | 'disputed' | 'failed'>
  /** What the provider calls the payment: refunds and disputes name it instead of the order. */
  payment_reference: Generated<string>
  /** Money that the payer got back, or that is in dispute. */
  reversed_money: Generated<string>
  /** The credit that belongs to that money: taken from the balance, or still owed. */
  reversed_quota: Generated<number>
  /** The part of it that the balance did not cover. */
  owed_quota: Generated<number>
  /** The inviter who got a rebate for this order. Set when the rebate is reversed. */
  rebate_user_id: number | null
  rebate_reversed: Generated<number>
  rebate_owed: Generated<number>
  /** Numbers the ledger entries of reversals. */
  reversal_entries: Generated<number>
}

/** A refund, dispute or failure of a payment, as the provider last described it. */
export interface PaymentReversalTable {
  provider: string
  /** What the provider calls it. */
  reference: string
  top_up_id: number
  kind: 'refund' | 'dispute' | 'failure'
  money: string
  /** The provider's word for its state. */
  status: Generated<string>
  /** False once the money is the site's again. */
  active: boolean
  /** A closed dispute does not open again. */
  final: Generated<boolean>
  /** By the provider's clock. */
  as_of: Time
}

/** What a payment provider said about an order, and what came of it. */
export interface PaymentEventTable {
  id: Generated<number>
  /** The provider's name of the event; null where events have none. */
  event_id: string | null
  type: Generated<string>
  /** By the provider's clock. */
  occurred_at: NullableTime
  /** How often it was delivered. */
  deliveries: Generated<number>
  top_up_id: number | null
  provider: string
  kind: 'callback' | 'recheck'
  outcome: string
  details: Json
  client_ip: Generated<string>
  created_at: Time
}

export interface CheckInTable {
  user_id: number
  /** `YYYY-MM-DD`. Read it as `day::text`: the driver makes a Date of local midnight, which can be another day. */
  day: ColumnType<Date, string, string>
  reward: number
  created_at: Time
}
