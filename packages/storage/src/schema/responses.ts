import type { ColumnType, Generated } from 'kysely'
import type { NullableTime, Time } from './column-types.ts'

/** A response of the Responses API with its input. */
export interface StoredResponseTable {
  user_id: number
  id: string
  /** The response that it continues. */
  previous_id: string | null
  /** The same for all responses of one thread: the key of session affinity. */
  thread: string
  status: string
  /** The account that stores the response too; null where only we do. */
  channel_id: number | null
  key_id: string | null
  routed: string | null
  /** Items that a request can reference. */
  item_ids: ColumnType<string[], string[] | undefined, string[]>
  /** Input and response as compressed JSON. */
  sealed: string
  created_at: Time
  expires_at: ColumnType<Date, Date | string, Date | string>
  /** While the response is generated in the background: when its process must have reported again. */
  lease_until: NullableTime
}

/** Consecutive events of a streamed background response, as compressed JSON. */
export interface StoredResponseEventTable {
  user_id: number
  response_id: string
  first_number: number
  last_number: number
  sealed: string
  created_at: Time
}

/** A conversation of the Conversations API. `sealed` is its metadata. */
export interface ConversationTable {
  user_id: number
  id: string
  sealed: string
  created_at: Time
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface ConversationItemTable {
  position: Generated<number>
  user_id: number
  conversation_id: string
  id: string
  sealed: string
}
