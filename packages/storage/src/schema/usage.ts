import type { ColumnType, Generated } from 'kysely'
import type { Json, Time } from './column-types.ts'

type Hour = ColumnType<Date, Date, Date>

interface Sums {
  requests: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
}

/** The books' side of use: what a user spent in an hour. */
export interface UsageRollupTable {
  user_id: number
  model_name: string
  hour: Hour
  token_name: Generated<string>
  group: Generated<string>
  requests: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
}

/** The same over all users. A row for each shard of the processes that booked. */
export interface SiteRollupTable extends Sums {
  hour: Hour
  model_name: string
  group: string
  shard: number
}

export interface ChannelRollupTable extends SiteRollupTable {
  channel_id: number
}

export interface UserDayTable {
  /** A UTC day as text. */
  day: string
  user_id: number
  requests: number
  quota: number
  tokens: number
}

/** What was said in a call, where the operator keeps that. */
export interface ChatContentTable {
  request_id: string
  user_id: number
  created_at: Time
  system_prompt: Generated<string>
  context: Generated<string>
  input_content: Generated<string>
  output_content: Generated<string>
}

/** Calls of a model in an hour by whether any channel could serve them. */
export interface ModelHourTable {
  model_name: string
  hour: Hour
  served: number
  failed: number
}

/** What each gateway process last said of itself. */
export interface NodeFiguresTable {
  holder: string
  at: ColumnType<Date, Date, Date>
  figures: Json
}
