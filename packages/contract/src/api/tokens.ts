import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageQuery } from '../paging.ts'
import { Id, MAX_QUOTA, Quota, UnixSeconds } from '../values.ts'

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const NEVER_EXPIRES = -1
export const TOKEN_PREFIX = 'sk-'

export const ApiToken = z.object({
  id: Id,
  user_id: Id,
  /** Without the `sk-` that screens put before it. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: UnixSeconds,
  accessed_time: UnixSeconds,
  expired_time: UnixSeconds,
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
})
export type ApiToken = z.output<typeof ApiToken>

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token',
  access: 'user',
  summary: 'Own tokens, newest first.',
  query: pageQuery({ base: 0, sizeName: 'size' }),
  reply: z.array(ApiToken),
  errors: [],
})

export const NewToken = z.object({
  name: z.string().default(''),
  expired_time: UnixSeconds.default(NEVER_EXPIRES),
  remain_quota: Quota.nonnegative().max(MAX_QUOTA).default(500_000),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: z.string().default(''),
  allow_ips: z.string().nullish(),
  group: z.string().default(''),
  rate_limit_enabled: z.boolean().default(false),
  rate_limit_period: z.int().nonnegative().default(60),
  rate_limit_count: z.int().nonnegative().default(1000),
  rate_limit_success: z.int().nonnegative().default(10),
})
export type NewToken = z.output<typeof NewToken>

export const createToken = endpoint({
  method: 'POST',
  path: '/api/token',
  access: 'user',
  summary: 'Adds an API token; its key is read from the list.',
  body: NewToken,
  reply: z.undefined(),
  errors: ['token_name_invalid', 'token_limit_reached', 'token_expiry_invalid', 'token_group_not_allowed'],
})

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/{id}',
  access: 'user',
  summary: 'Removes an own token; calls with its key are refused at once.',
  reply: z.undefined(),
  errors: ['token_not_found'],
})
