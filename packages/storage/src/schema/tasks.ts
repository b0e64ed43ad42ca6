import type { Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface DrawingTaskTable {
  id: Generated<number>
  user_id: number
  token_id: Generated<number>
  channel_id: number
  mj_id: Generated<string>
  action: string
  code: Generated<number>
  status: Generated<string>
  progress: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  description: Generated<string>
  state: Generated<string>
  image_url: Generated<string>
  fail_reason: Generated<string>
  buttons: Json<unknown[]>
  properties: Json
  quota: Generated<number>
  submitted_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

export interface MusicTaskTable {
  id: Generated<number>
  user_id: number
  token_id: Generated<number>
  channel_id: number
  task_id: string
  platform: Generated<string>
  action: string
  status: Generated<string>
  progress: Generated<string>
  fail_reason: Generated<string>
  properties: Json
  data: Json
  quota: Generated<number>
  created_at: Time
  updated_at: Time
  submitted_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}
