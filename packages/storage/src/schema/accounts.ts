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
  /** When the balance fell below the user's warning threshold; null while it is above. */
  low_balance_since: NullableTime
  /** When the personal data of a deregistered user was removed. */
  anonymised_at: NullableTime
  /** Areas of the settings that the super admin granted to an administrator. */
  settings_areas: Generated<string[]>
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
  /** The last re-authentication in this session: password, code or passkey. */
  proved_at: Time
  /** The last re-authentication with a second factor: code, recovery code or passkey. */
  factor_at: NullableTime
}

/** A login step that must be completed: OAuth, second factor or passkey. */
export interface AuthFlowTable {
  ticket_hash: string
  kind: 'service' | 'second_factor' | 'passkey'
  service: Generated<string>
  intent: Generated<string>
  user_id: number | null
  /** A keyed hash of the browser's cookie; blank when any browser may complete the flow. */
  visitor_hash: Generated<string>
  aff: Generated<string>
  /** PKCE verifier, nonce or challenge, sealed. */
  sealed: Generated<string>
  tries: Generated<number>
  created_at: Time
  expires_at: ColumnType<Date, Date, Date>
  used_at: NullableTime
}

export interface TotpTable {
  user_id: number
  sealed_secret: string
  /** Null until the first code was entered. */
  enabled_at: NullableTime
  /** The last time step whose code was used. A code works once. */
  last_step: Generated<number>
  created_at: Time
}

export interface RecoveryCodeTable {
  user_id: number
  code_hash: string
  used_at: NullableTime
}

export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  /** base64url, as in WebAuthn. */
  credential_id: string
  /** COSE key in base64url. */
  public_key: string
  counter: Generated<number>
  transports: Json<string[]>
  backed_up: Generated<boolean>
  name: string
  created_at: Time
  last_used_at: NullableTime
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
  /** The user who binds the address; 0 for other purposes. */
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
