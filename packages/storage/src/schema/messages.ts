import type { Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface MessageTable {
  id: Generated<number>
  title: string
  content: string
  format: Generated<'markdown' | 'html'>
  /** 0 for messages of the system. */
  created_by: number
  created_at: Time
  updated_at: Time
  target: Generated<'users' | 'group' | 'all'>
  target_group: Generated<string>
  /** The recipients of a message to a list of users, until it is sent. */
  target_user_ids: number[] | null
  state: Generated<'scheduled' | 'sending' | 'sent'>
  send_at: NullableTime
  sent_at: NullableTime
  planned: number | null
  delivered: Generated<number>
  /** The last user ID that was processed, and the last one to process. */
  reached_user_id: Generated<number>
  last_user_id: number | null
}

export interface MessageRecipientTable {
  user_id: number
  message_id: number
  read_at: NullableTime
  created_at: Time
}

/** A notification by mail, webhook or push and the state of its delivery. */
export interface DeliveryTable {
  id: Generated<number>
  user_id: number
  kind: 'email' | 'webhook' | 'push'
  type: string
  title: string
  target: string
  payload: Json
  status: Generated<'waiting' | 'delivered' | 'failed'>
  attempts: Generated<number>
  response_status: number | null
  response_body: Generated<string>
  error: Generated<string>
  created_at: Time
  last_attempt_at: NullableTime
  next_attempt_at: NullableTime
}

/** A browser that receives push notifications. */
export interface PushSubscriptionTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the endpoint, in hex. */
  endpoint_hash: string
  /** The host of the endpoint. The rest of the endpoint is a secret. */
  host: string
  /** Endpoint and keys as JSON, sealed. */
  sealed: string
  user_agent: Generated<string>
  /** The session that subscribed; null for an access token. */
  session_hash: string | null
  created_at: Time
  last_success_at: NullableTime
}

/** The VAPID key pair of the site: at most one row. */
export interface PushKeyTable {
  id: number
  public_key: string
  sealed_private_key: string
  created_at: Time
}
