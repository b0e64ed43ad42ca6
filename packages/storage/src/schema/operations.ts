import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface JobLeaseTable {
  name: string
  holder: string
  expires_at: ColumnType<Date, Date, Date>
}

export interface AuditEventTable {
  id: Generated<number>
  actor_id: number | null
  action: string
  subject: Generated<string>
  details: Json
  client_ip: Generated<string>
  request_id: Generated<string>
  /** The name of the automation token that acted; blank for a person. */
  token: Generated<string>
  created_at: Time
}

export interface OutboxTable {
  id: Generated<number>
  topic: string
  shard_key: number
  payload: Json
  created_at: Time
  published_at: NullableTime
}

/** A data key of the ring, encrypted with the root key. */
export interface SecretKeyTable {
  id: number
  state: 'prepared' | 'active' | 'old' | 'retired'
  wrapped: string
  created_at: Time
  changed_at: Time
  /** When everything that can be sealed again was sealed with this key. */
  completed_at: NullableTime
}
