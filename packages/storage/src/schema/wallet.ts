import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface RedemptionTable {
  id: Generated<number>
  created_by: number
  key: string
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
  status: Generated<'pending' | 'success' | 'expired'>
  created_at: Time
  completed_at: NullableTime
  provider: Generated<string>
  currency: Generated<string>
  /** What the provider calls the order. */
  provider_reference: Generated<string>
  expires_at: NullableTime
}

/** What a payment provider said about an order, and what came of it. */
export interface PaymentEventTable {
  id: Generated<number>
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
