import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, pageQuery, readPage } from '../paging.ts'
import { Flag, Id, MAX_QUOTA, OptionalText, Quota, UnixSeconds } from '../values.ts'

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const NEVER_EXPIRES = -1
export const TOKEN_PREFIX = 'sk-'

/** Period after which the quota of a token is reset; blank means never. */
export const BUDGET_PERIODS = ['', 'day', 'week', 'month'] as const

/** Maximum values of token limits; above the limits of any provider account. */
export const MAX_TOKENS_PER_MINUTE = 1_000_000_000
export const MAX_CONCURRENCY = 100_000

/** In characters. */
export const TOKEN_NAME_MAX_LENGTH = 30

export const ApiToken = z.object({
  id: Id,
  user_id: Id,
  /** Without the prefix `sk-`. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: UnixSeconds,
  accessed_time: UnixSeconds,
  expired_time: UnixSeconds,
  /** Remaining quota: in total, or of the current period if the token has a budget. */
  remain_quota: Quota,
  used_quota: Quota,
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  group: z.string(),
  rate_limit_enabled: z.boolean(),
  rate_limit_period: z.int(),
  rate_limit_count: z.int(),
  rate_limit_success: z.int(),
  /** Input and output tokens; 0 for no limit. */
  tokens_per_minute: z.int(),
  /** Concurrent requests; 0 for no limit. */
  max_concurrency: z.int(),
  /** Whether responses of the Responses API may be stored. */
  store_responses: z.boolean(),
  budget_period: z.enum(BUDGET_PERIODS),
  /** `remain_quota` at the start of a period. */
  budget_quota: Quota,
  /** Time zone of periods: an IANA name such as `Asia/Shanghai`. */
  budget_zone: z.string(),
  /** Start of the next period; 0 without a budget. */
  budget_resets_at: UnixSeconds,
})
export type ApiToken = z.output<typeof ApiToken>

const paging = { base: 0, sizeName: 'size' } as const

/** The header `X-Total-Count` has the total. */
export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token',
  access: 'user',
  summary: 'Lists your API tokens, newest first.',
  query: pageQuery(paging),
  reply: z.array(ApiToken),
  errors: [],
})

const searchFilters = { keyword: OptionalText, token: OptionalText }

export const searchTokens = endpoint({
  method: 'GET',
  path: '/api/token/search',
  access: 'user',
  summary: 'Searches your API tokens by name (`keyword`) and key (`token`), newest first.',
  query: z
    .object({ ...searchFilters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(searchFilters).partial().parse(query), page: readPage(query, paging) })),
  reply: z.array(ApiToken),
  errors: [],
})

export const getToken = endpoint({
  method: 'GET',
  path: '/api/token/{id}',
  access: 'user',
  summary: 'Returns one of your API tokens.',
  reply: ApiToken,
  errors: ['token_not_found'],
})

/** Requests and seconds of a rate limit. */
export const MAX_RATE_LIMIT = 2_147_483_647
const Count = z.int().nonnegative().max(MAX_RATE_LIMIT)

const tokenFields = {
  name: z.string(),
  expired_time: UnixSeconds,
  remain_quota: Quota.nonnegative().max(MAX_QUOTA),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  /** Addresses or ranges such as `10.0.0.0/8`, one per line. */
  allow_ips: z.string().nullish(),
  group: z.string(),
  rate_limit_enabled: z.boolean(),
  rate_limit_period: Count,
  rate_limit_count: Count,
  rate_limit_success: Count,
  tokens_per_minute: z.int().nonnegative().max(MAX_TOKENS_PER_MINUTE),
  max_concurrency: z.int().nonnegative().max(MAX_CONCURRENCY),
  store_responses: z.boolean(),
  budget_period: z.enum(BUDGET_PERIODS),
  budget_quota: Quota.nonnegative().max(MAX_QUOTA),
  budget_zone: z.string(),
}

export const NewToken = z.object({
  name: tokenFields.name.default(''),
  expired_time: tokenFields.expired_time.default(NEVER_EXPIRES),
  remain_quota: tokenFields.remain_quota.default(500_000),
  unlimited_quota: tokenFields.unlimited_quota.default(false),
  model_limits_enabled: tokenFields.model_limits_enabled.default(false),
  model_limits: tokenFields.model_limits.default(''),
  allow_ips: tokenFields.allow_ips,
  /** Blank: the group of the owner. Absent: the same, or `auto` while the option `DefaultUseAutoGroup` is on. */
  group: tokenFields.group.optional(),
  rate_limit_enabled: tokenFields.rate_limit_enabled.default(false),
  rate_limit_period: tokenFields.rate_limit_period.default(60),
  rate_limit_count: tokenFields.rate_limit_count.default(1000),
  rate_limit_success: tokenFields.rate_limit_success.default(10),
  tokens_per_minute: tokenFields.tokens_per_minute.default(0),
  max_concurrency: tokenFields.max_concurrency.default(0),
  store_responses: tokenFields.store_responses.default(true),
  budget_period: tokenFields.budget_period.default(''),
  budget_quota: tokenFields.budget_quota.default(0),
  budget_zone: tokenFields.budget_zone.default('UTC'),
  /** Names of all after the first get a suffix of six random characters. */
  count: z.int().default(1),
})
export type NewToken = z.output<typeof NewToken>

const FIELD_ERRORS = [
  'token_name_invalid',
  'token_expiry_invalid',
  'token_group_not_allowed',
  'token_model_unknown',
  'token_address_invalid',
  'token_budget_invalid',
  'token_zone_unknown',
] as const

export const createToken = endpoint({
  method: 'POST',
  path: '/api/token',
  access: 'user',
  summary: 'Creates one or several API tokens and returns them with their keys.',
  body: NewToken,
  reply: z.array(ApiToken),
  errors: [...FIELD_ERRORS, 'token_count_invalid', 'token_limit_reached'],
})

/** Missing fields do not change. */
export const TokenEdit = z.object({
  id: Id,
  status: z.int().optional(),
  ...z.object(tokenFields).partial().shape,
  /** The value shown in the form: only the difference is applied, so that spending in the meantime counts. */
  remain_quota_seen: Quota.optional(),
})
export type TokenEdit = z.output<typeof TokenEdit>

export const updateToken = endpoint({
  method: 'PUT',
  path: '/api/token',
  access: 'user',
  summary: 'Changes one of your API tokens; with `status_only`, only enables or disables it.',
  query: z.object({ status_only: Flag.default(false) }),
  body: TokenEdit,
  reply: ApiToken,
  errors: [...FIELD_ERRORS, 'token_not_found', 'token_status_invalid', 'token_still_expired', 'token_still_exhausted'],
})

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/{id}',
  access: 'user',
  summary: 'Deletes one of your API tokens. Requests with its key are rejected immediately.',
  reply: z.undefined(),
  errors: ['token_not_found'],
})
