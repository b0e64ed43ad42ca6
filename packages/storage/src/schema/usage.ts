import type { ColumnType, Generated } from 'kysely'
import type { Json, Time } from './column-types.ts'

type Hour = ColumnType<Date, Date, Date>

/** The books' side of use: what a user spent in an hour. */
export interface UsageRollupTable {
  user_id: number
  model_name: string
  hour: Hour
  requests: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
  /** The share of `requests` and `quota` that has rows in the usage log. */
  logged_requests: Generated<number>
  logged_quota: Generated<number>
}

/** Log rows of every hour from here on are complete; older ones may have been removed. */
export interface UsageLogFloorTable {
  id: Generated<number>
  complete_from: Time
}

interface Sums {
  requests: number
  quota: number
  tokens: number
}

/** A row for each shard of the processes that booked. */
interface SiteSums extends Sums {
  model_name: string
  group: string
  shard: number
}

export interface SiteHourTable extends SiteSums {
  hour: Hour
}

/** Days are those of UTC, as text. */
export interface SiteDayTable extends SiteSums {
  day: string
}

export interface ChannelDayTable extends SiteSums {
  channel_id: number
  day: string
}

export interface UserDayTable extends Sums {
  user_id: number
  day: string
  model_name: string
  token_name: string
  group: string
}

/** All of a user's day in one row, to find who spent most. */
export interface SpenderDayTable extends Sums {
  day: string
  user_id: number
}

/** What was sold under a price, in units that other prices can be put to. */
export interface SoldDayTable {
  day: string
  price_name: string
  group: string
  shard: number
  requests: number
  quota: number
  calls: number
  pieces: number
  input: number
  cache_read: number
  cache_write: number
  cache_write_1h: number
  audio_in: number
  output: number
  audio_out: number
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
