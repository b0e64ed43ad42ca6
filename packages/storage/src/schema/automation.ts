import type { Generated } from 'kysely'
import type { NullableTime, Time } from './column-types.ts'

export interface AutomationTokenTable {
  id: Generated<number>
  user_id: number
  name: string
  hash: string
  last_four: string
  scopes: string[]
  /** One address or range to a line; blank for everywhere. */
  allow_ips: Generated<string>
  created_at: Time
  expires_at: NullableTime
  last_used_at: NullableTime
}

/** A call that a program may send again. Without an answer it is under way, or was cut off. */
export interface IdempotencyKeyTable {
  user_id: number
  key: string
  /** Of method, path and body: the same key for something else is a mistake. */
  request_hash: string
  sealed_answer: string | null
  created_at: Time
}
