import type { Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface MessageTable {
  id: Generated<number>
  title: string
  content: string
  format: Generated<'markdown' | 'html'>
  created_by: number
  created_at: Time
  updated_at: Time
}

export interface MessageRecipientTable {
  user_id: number
  message_id: number
  read_at: NullableTime
  created_at: Time
}

/** A notice by mail or webhook, and how its delivery goes. */
export interface DeliveryTable {
  id: Generated<number>
  user_id: number
  kind: 'email' | 'webhook'
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
