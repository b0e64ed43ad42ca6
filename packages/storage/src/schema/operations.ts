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
  /** Null until the worker seals the event, as is `hash`. */
  seal: ColumnType<number | null, number | undefined, number>
  /** The hash of this event in the chain of its day. */
  hash: ColumnType<string | null, string | undefined, string>
}

/** A signed part of the hash chain over audit events. */
export interface AuditSealTable {
  id: number
  /** The UTC day of the chain. Select it as text. */
  day: ColumnType<never, string, never>
  event_count: number
  /** The number of events in the chain of the day, including this seal. */
  day_events: number
  /** The hash before the first event. */
  previous_hash: string
  /** The hash of the last event. */
  head: string
  signature: string
  sealed_at: Time
}

/** The signed end of the chain of one day. */
export interface AuditDigestTable {
  /** Select it as text. */
  day: ColumnType<never, string, never>
  seal: number
  event_count: number
  head: string
  /** The day of the previous digest; blank in the first. */
  previous_day: string
  signature: string
}

/** The last event that a destination received. */
export interface AuditForwardTable {
  destination: 'syslog' | 'webhook'
  seal: number
  event_id: number
  /** Failed attempts since the last success. */
  failures: Generated<number>
  retry_at: NullableTime
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
  /** When everything that can be resealed was sealed with this key. */
  completed_at: NullableTime
}

export interface AutomationTokenTable {
  id: Generated<number>
  user_id: number
  name: string
  hash: string
  last_four: string
  scopes: string[]
  /** One address or range per line; blank for any address. */
  allow_ips: Generated<string>
  created_at: Time
  expires_at: NullableTime
  last_used_at: NullableTime
}

/** A request that a client may repeat. Without a response it is running or was interrupted. */
export interface IdempotencyKeyTable {
  user_id: number
  key: string
  /** Hash of method, path and body, to detect reuse of a key for another request. */
  request_hash: string
  sealed_answer: string | null
  created_at: Time
}

/** Maps a row of another product to the row it was imported to. */
export interface ImportedRowTable {
  /** The name of the database or file, without secrets. */
  source: string
  kind: string
  source_id: string
  target_id: number
  imported_at: Time
}

/** A database of the site with its accounts. */
export interface CellTable {
  id: string
  name: Generated<string>
  /** Where its gateways are; blank with one cell. */
  url: Generated<string>
  state: Generated<'serving' | 'draining'>
  /** Whether it is the cell of this database. */
  is_own: Generated<boolean>
}

/** One row: which builds can serve the schema. */
export interface SchemaCompatibilityTable {
  /** The last migration of the oldest build that can. */
  oldest_build: string
}
