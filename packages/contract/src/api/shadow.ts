import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../paging.ts'
import { OptionalInteger, OptionalText, Quota, UnixSeconds } from '../values.ts'

/** Predicted result of one mirrored request, and the result of the old gateway once its log is imported. */
export const ShadowCall = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  /** Path of the request, without `/shadow`. */
  path: z.string(),
  is_stream: z.boolean(),
  group: z.string(),
  /** The first channel of the route plan; null if the request would have been rejected. */
  channel_id: z.int().nullable(),
  channel_name: z.string(),
  upstream_model: z.string(),
  prompt_tokens: z.int(),
  /** Predicted reservation. */
  reserve: Quota,
  /** Error code, such as `model_not_allowed`; null if the request would have been served. */
  refusal: z.string().nullable(),
  /** Start time at the old gateway. This and the following fields are null until a row of the old log is matched. */
  old_log_at: UnixSeconds.nullable(),
  old_channel_id: z.int().nullable(),
  old_channel_name: z.string(),
  old_prompt_tokens: z.int().nullable(),
  old_completion_tokens: z.int().nullable(),
  old_quota: Quota.nullable(),
  /** Cost here of the tokens in the old log; also null if the request would have been rejected. */
  would_quota: Quota.nullable(),
})
export type ShadowCall = z.output<typeof ShadowCall>

const span = { start: OptionalInteger, end: OptionalInteger }

/** Both charges are summed over requests that have both, so that they are comparable. */
const ShadowSums = {
  calls: z.int(),
  matched: z.int(),
  old_quota: Quota,
  would_quota: Quota,
}

export const ShadowModel = z.object({ model_name: z.string(), ...ShadowSums })
export type ShadowModel = z.output<typeof ShadowModel>

/** Matched requests by the channel of the old gateway and the predicted channel. */
export const ShadowRoute = z.object({
  old_channel_id: z.int(),
  old_channel_name: z.string(),
  /** Null if the request would have been rejected. */
  channel_id: z.int().nullable(),
  channel_name: z.string(),
  calls: z.int(),
})
export type ShadowRoute = z.output<typeof ShadowRoute>

export const ShadowSummary = z.object({
  enabled: z.boolean(),
  /** Percentage of copies that are evaluated. */
  share: z.int(),
  ...ShadowSums,
  refused: z.array(z.object({ code: z.string(), calls: z.int() })),
  models: z.array(ShadowModel),
  routes: z.array(ShadowRoute),
  /** Copies that were evaluated but not stored, because too many arrived at once. */
  dropped: z.int(),
})
export type ShadowSummary = z.output<typeof ShadowSummary>

export const SHADOW_ROWS_SHOWN = 50

export const getShadowSummary = endpoint({
  method: 'GET',
  path: '/api/shadow/summary',
  access: 'admin',
  summary: 'Compares predicted cost and routing of mirrored requests with the old log; returns the 50 largest rows.',
  query: z.object(span).partial(),
  reply: ShadowSummary,
  errors: [],
})

export const SHADOW_FILTERS = ['all', 'refused', 'matched', 'differs'] as const
export type ShadowFilter = (typeof SHADOW_FILTERS)[number]

const filters = {
  ...span,
  model_name: OptionalText,
  /** Anything else means `all`. `differs`: matched, with a different channel or charge. */
  only: z.enum(SHADOW_FILTERS).catch('all'),
}
const paging = UNIFORM_PAGING

export const listShadowCalls = endpoint({
  method: 'GET',
  path: '/api/shadow/calls',
  access: 'admin',
  summary: 'Lists mirrored requests, newest first.',
  query: z
    .object({ ...filters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, paging) })),
  reply: pageOf(ShadowCall),
  errors: [],
})

export const matchShadowCalls = endpoint({
  method: 'POST',
  path: '/api/shadow/match',
  access: 'admin',
  summary: 'Matches mirrored requests without a match to rows of the old log.',
  reply: z.object({ matched: z.int(), left: z.int() }),
  errors: [],
})

export const clearShadowCalls = endpoint({
  method: 'DELETE',
  path: '/api/shadow/calls',
  access: 'root',
  summary: 'Deletes all mirrored requests and returns their number.',
  reply: z.int(),
  errors: [],
})
