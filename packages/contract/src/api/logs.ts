import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, pageOf, readPage } from '../paging.ts'
import { OptionalInteger, OptionalText, Quota, UnixSeconds } from '../values.ts'

export const LOG_TYPE = { topUp: 1, consumption: 2, admin: 3, system: 4, checkIn: 5, error: 6 } as const

export const UsageLog = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  type: z.int(),
  content: z.string(),
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  quota: Quota,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whole seconds; `other.frt` has the time to the first token in milliseconds. */
  use_time: z.int(),
  is_stream: z.boolean(),
  /** 0 and blank for ordinary users. */
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  client_ip: z.string(),
  request_id: z.string(),
  /** JSON text. */
  other: z.string(),
})
export type UsageLog = z.output<typeof UsageLog>

const ownFilters = {
  type: OptionalInteger,
  token_name: OptionalText,
  model_name: OptionalText,
  group: OptionalText,
  start_timestamp: OptionalInteger,
  end_timestamp: OptionalInteger,
}
const siteFilters = { ...ownFilters, username: OptionalText, channel: OptionalInteger }

const paging = { base: 1 } as const

/** Filters of a log query, read together with its page. */
function filtered<Filters extends z.ZodRawShape>(filters: Filters) {
  return z
    .object({ ...filters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, paging) }))
}

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log',
  access: 'admin',
  summary: 'Usage log of the whole site, newest first.',
  query: filtered(siteFilters),
  reply: pageOf(UsageLog),
  errors: [],
})

export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  summary: 'Own usage log, newest first, without anything about channels.',
  query: filtered(ownFilters),
  reply: pageOf(UsageLog),
  errors: [],
})
