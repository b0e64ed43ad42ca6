import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../../paging.ts'
import { OptionalText, UnixSeconds } from '../../values.ts'

/** One change of an option, from the audit trail. */
export const OptionChange = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  /** 0 without a login, as on the command line. */
  actor_id: z.int(),
  actor: z.string(),
  key: z.string(),
  /** Values of secrets are not stored. */
  secret: z.boolean(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  way: z.enum(['edit', 'restore', 'file']),
})
export type OptionChange = z.output<typeof OptionChange>

const paging = UNIFORM_PAGING

export const listOptionHistory = endpoint({
  method: 'GET',
  path: '/api/option/history',
  access: 'root',
  summary:
    'Changes of options, newest first, all of them or those of one `key`; a secret is only said to have changed.',
  query: z
    .object({ key: OptionalText, ...pageFields(paging) })
    .partial()
    .transform(({ key, ...query }) => ({ key, page: readPage(query, paging) })),
  reply: pageOf(OptionChange),
  errors: [],
})

export const restoreOption = endpoint({
  method: 'POST',
  path: '/api/option/history/{id}/restore',
  access: 'root',
  summary: 'Sets an option back to what it was before a change, by the same rules as any other value for it.',
  reply: z.undefined(),
  errors: [
    'option_change_not_found',
    'option_change_secret',
    'option_change_without_before',
    'option_unknown',
    'option_invalid',
    'option_guard_needs',
    'option_guard_in_use',
    'option_guard_modes_exclusive',
    'option_guard_fallback_mixed',
    'option_guard_fallback_incomplete',
    'option_guard_last_sign_in',
    'proof_required',
  ],
})
