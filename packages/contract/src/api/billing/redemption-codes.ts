import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, pageQuery, readPage } from '../../paging.ts'
import { Flag, Id, OptionalFlag, OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'
import { TurnstileQuery } from '../auth/registration.ts'

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** No limit of uses. */
export const UNLIMITED_USES = -1

/** Maximum lengths in characters, codes per request and uses of a code. */
export const REDEMPTION_LIMITS = { name: 20, key: 32, count: 100, uses: 2_147_483_647 } as const

export const Redemption = z.object({
  id: Id,
  /** Its creator. */
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: Quota,
  is_gift: z.boolean(),
  /** With `is_gift`: how many users may redeem it; -1 means no limit. */
  max_uses: z.int(),
  used_count: z.int(),
  created_time: UnixSeconds,
  /** 0 until it is redeemed. */
  redeemed_time: UnixSeconds,
  used_user_id: z.int(),
  /** 0 means no start, and no end. */
  valid_from: UnixSeconds,
  valid_until: UnixSeconds,
})
export type Redemption = z.output<typeof Redemption>

const paging = { base: 1 } as const

export const listRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption',
  access: 'admin',
  summary: 'Lists redemption codes, newest first. The first page is 1.',
  query: pageQuery(paging),
  reply: pageOf(Redemption),
  errors: [],
})

const searchFilters = { keyword: OptionalText, status: OptionalInteger, expired: OptionalFlag }

export const searchRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/search',
  access: 'admin',
  summary: 'Searches redemption codes by the start of the name, the id or the code, by status and by expiry.',
  query: z
    .object({ ...searchFilters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({
      filters: z.object(searchFilters).partial().parse(query),
      page: readPage(query, paging),
    })),
  reply: pageOf(Redemption),
  errors: [],
})

export const getRedemptionSummary = endpoint({
  method: 'GET',
  path: '/api/redemption/summary',
  access: 'admin',
  summary: 'Counts redemption codes by status, with the keyword of the search.',
  query: z.object({ keyword: OptionalText }).partial(),
  reply: z.object({ all: z.int(), unused: z.int(), disabled: z.int(), used: z.int(), expired: z.int() }),
  errors: [],
})

export const getRedemption = endpoint({
  method: 'GET',
  path: '/api/redemption/{id}',
  access: 'admin',
  summary: 'Returns one redemption code.',
  reply: Redemption,
  errors: ['redemption_not_found'],
})

/** Accepts any text: the operation checks the rules, with a specific error for each. */
export const NewRedemptions = z.object({
  name: z.string().default(''),
  quota: z.number().default(0),
  count: z.number().default(1),
  is_gift: z.boolean().default(false),
  max_uses: z.number().default(UNLIMITED_USES),
  valid_from: z.number().default(0),
  valid_until: z.number().default(0),
  /** A custom code; then only one is created. */
  key: z.string().nullish(),
})
export type NewRedemptions = z.output<typeof NewRedemptions>

const FIELD_ERRORS = [
  'redemption_name_invalid',
  'redemption_window_invalid',
  'redemption_uses_invalid',
  'quota_invalid',
] as const

export const createRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption',
  access: 'admin',
  summary: 'Creates up to 100 redemption codes, or one with a custom code. Returns the codes.',
  proof: 'orToken',
  idempotent: true,
  body: NewRedemptions,
  reply: z.array(z.string()),
  errors: [...FIELD_ERRORS, 'redemption_count_invalid', 'redemption_key_invalid', 'redemption_key_taken'],
})

/** Missing fields do not change. Quota and number of uses are fixed after the first use. */
export const RedemptionEdit = z.object({
  id: Id,
  name: z.string().optional(),
  quota: z.number().optional(),
  is_gift: z.boolean().optional(),
  max_uses: z.number().optional(),
  valid_from: z.number().optional(),
  valid_until: z.number().optional(),
  status: z.number().optional(),
})
export type RedemptionEdit = z.output<typeof RedemptionEdit>

export const updateRedemption = endpoint({
  method: 'PUT',
  path: '/api/redemption',
  access: 'admin',
  summary:
    'Changes an unused code; with `status_only`, only enables or disables it. Changes other than renaming and disabling need recent re-authentication.',
  query: z.object({ status_only: Flag.default(false) }),
  body: RedemptionEdit,
  reply: Redemption,
  errors: [
    ...FIELD_ERRORS,
    'redemption_not_found',
    'redemption_status_invalid',
    'redemption_edit_disabled',
    'redemption_used',
    'redemption_in_use',
    'proof_required',
  ],
})

export const disableRedemptions = endpoint({
  method: 'PUT',
  path: '/api/redemption/batch-disable',
  access: 'admin',
  summary: 'Disables the given codes that are still usable, and returns their number.',
  body: z.object({ ids: z.array(Id).max(1000) }),
  reply: z.int(),
  errors: ['redemptions_required'],
})

export const deleteDisabledRedemptions = endpoint({
  method: 'DELETE',
  path: '/api/redemption/delete-disabled',
  access: 'admin',
  summary: 'Deletes all disabled codes and returns their number. Used codes stay, because they explain balances.',
  reply: z.int(),
  errors: [],
})

export const deleteUsedRedemptions = endpoint({
  method: 'DELETE',
  path: '/api/redemption/delete-used',
  access: 'admin',
  summary: 'Deletes all used codes from the list and returns their number.',
  reply: z.int(),
  errors: [],
})

const NameQuery = z.object({ name: OptionalText.optional() })

export const countRedemptionsByName = endpoint({
  method: 'GET',
  path: '/api/redemption/count-by-name',
  access: 'admin',
  summary: 'Returns the number of codes with exactly this name.',
  query: NameQuery,
  reply: z.int(),
  errors: ['redemption_name_invalid'],
})

export const deleteRedemptionsByName = endpoint({
  method: 'DELETE',
  path: '/api/redemption/delete-by-name',
  access: 'admin',
  summary: 'Deletes all codes with exactly this name and returns their number.',
  query: NameQuery,
  reply: z.int(),
  errors: ['redemption_name_invalid'],
})

export const deleteRedemption = endpoint({
  method: 'DELETE',
  path: '/api/redemption/{id}',
  access: 'admin',
  summary: 'Deletes a redemption code.',
  reply: z.undefined(),
  errors: ['redemption_not_found'],
})

export const redeem = endpoint({
  method: 'POST',
  path: '/api/user/topup',
  access: 'user',
  summary: 'Redeems a code: adds its quota to your balance.',
  query: TurnstileQuery,
  body: z.object({ key: z.string().default('') }),
  reply: z.object({ quota: Quota, is_gift: z.boolean() }),
  errors: [
    'redemption_required',
    'redemption_invalid',
    'redemption_disabled',
    'redemption_used',
    'redemption_repeated',
    'redemption_not_started',
    'redemption_expired',
    'redemption_delayed',
    'balance_limit',
    'turnstile_empty',
    'turnstile_failed',
    'turnstile_unavailable',
  ],
})
