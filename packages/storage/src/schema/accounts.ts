import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface UserTable {
  id: Generated<number>
  username: string
  password_hash: string | null
  display_name: string
  role: Generated<number>
  status: Generated<number>
  group: Generated<string>
  email: Generated<string>
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  aff_code: string
  aff_count: Generated<number>
  aff_quota: Generated<number>
  aff_history_quota: Generated<number>
  inviter_id: number | null
  setting: Json
  last_check_in_at: NullableTime
  created_at: Time
  deleted_at: NullableTime
}

export interface IdentityTable {
  id: Generated<number>
  user_id: number
  provider: string
  issuer: Generated<string>
  subject: string
  label: Generated<string>
  created_at: Time
}

export interface SessionTable {
  id_hash: string
  user_id: number
  created_at: Time
  last_seen_at: Time
  expires_at: ColumnType<Date, Date, Date>
  client_ip: Generated<string>
  user_agent: Generated<string>
}

export interface AccessTokenTable {
  user_id: number
  hash: string
  last_four: string
  created_at: Time
  last_used_at: NullableTime
}

export interface MailCodeTable {
  purpose: 'register' | 'bind' | 'reset'
  address: string
  /** The user a code to bind with was made for; 0 for the other purposes. */
  user_id: Generated<number>
  code_hash: string
  tries: Generated<number>
  created_at: Time
  expires_at: ColumnType<Date, Date, Date>
  used_at: NullableTime
}

export interface SetupTable {
  id: Generated<number>
  version: string
  initialized_at: Time
}
