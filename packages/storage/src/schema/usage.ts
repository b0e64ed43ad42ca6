import type { ColumnType, Generated } from 'kysely'
import type { Json, Time } from './column-types.ts'

type Hour = ColumnType<Date, Date, Date>

/** Settled usage of a user in one hour. */
export interface UsageRollupTable {
  user_id: number
  model_name: string
  hour: Hour
  requests: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
  /** The part of `requests` and `quota` that has rows in the usage log. */
  logged_requests: Generated<number>
  logged_quota: Generated<number>
}

/** Log rows are complete from this time on; older ones may have been removed. */
export interface UsageLogFloorTable {
  id: Generated<number>
  complete_from: Time
  /** Usage sums by hour before this time are sums of UTC days. */
  hours_from: Generated<Date>
  /** Usage sums by day before this date are sums of months. */
  days_from: Generated<string>
}

interface Sums {
  requests: number
  quota: number
  tokens: number
}

/** One row per shard of the settling processes. */
interface SiteSums extends Sums {
  model_name: string
  group: string
  shard: number
}

export interface SiteHourTable extends SiteSums {
  hour: Hour
}

/** UTC days, as text. */
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

/** Total usage of a user on one day, for rankings. */
export interface SpenderDayTable extends Sums {
  day: string
  user_id: number
}

/** Units sold at a price, for calculating them with other prices. */
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

/** The content of a request, if the operator stores it. */
export interface ChatContentTable {
  request_id: string
  user_id: number
  created_at: Time
  system_prompt: Generated<string>
  context: Generated<string>
  input_content: Generated<string>
  output_content: Generated<string>
}

/** Requests for a model in one hour, by whether a channel could serve them. */
export interface ModelHourTable {
  model_name: string
  hour: Hour
  served: number
  failed: number
}

/** The last metrics of each gateway process. */
export interface NodeMetricsTable {
  holder: string
  at: ColumnType<Date, Date, Date>
  figures: Json
}
