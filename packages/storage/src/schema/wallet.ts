import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface RedemptionTable {
  id: Generated<number>
  created_by: number
  /** The code in plain text, from earlier versions, until the worker seals it. */
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
  /** The provider's ID of the order. */
  provider_reference: Generated<string>
  expires_at: NullableTime
  /** Why the credit of a successful order was taken back; blank when it was not. */
  reversal: Generated<'' | 'partly_refunded' | 'refunded' | 'disputed' | 'failed'>
  /** The provider's ID of the payment. Refunds and disputes refer to it instead of the order. */
  payment_reference: Generated<string>
  /** Money that was refunded or is in dispute. */
  reversed_money: Generated<string>
  /** The credit for that money: taken from the balance, or still owed. */
  reversed_quota: Generated<number>
  /** The part of it that the balance did not cover. */
  owed_quota: Generated<number>
  /** The inviter who got a rebate for this order. Set when the rebate is reversed. */
  rebate_user_id: number | null
  rebate_reversed: Generated<number>
  rebate_owed: Generated<number>
  /** The number of ledger entries for reversals. */
  reversal_entries: Generated<number>
}

/** A refund, dispute or failure of a payment, in its last known state. */
export interface PaymentReversalTable {
  provider: string
  /** The provider's ID of the reversal. */
  reference: string
  top_up_id: number
  kind: 'refund' | 'dispute' | 'failure'
  money: string
  /** The provider's status. */
  status: Generated<string>
  /** False when the site has the money again. */
  active: boolean
  /** A closed dispute does not open again. */
  final: Generated<boolean>
  /** On the provider's clock. */
  as_of: Time
}

/** An event of a payment provider and its outcome. */
export interface PaymentEventTable {
  id: Generated<number>
  /** The provider's ID of the event; null when events have none. */
  event_id: string | null
  type: Generated<string>
  /** On the provider's clock. */
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
  /** `YYYY-MM-DD`. Select `day::text`: the driver returns local midnight as a Date, which can be another day. */
  day: ColumnType<Date, string, string>
  reward: number
  created_at: Time
}
