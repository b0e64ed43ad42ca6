import type { Generated } from 'kysely'
import type { NullableTime, Time } from './column-types.ts'

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
