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
  summary: 'Lists option changes, newest first, of all options or of one `key`. Values of secrets are not included.',
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
  summary: 'Restores the value of an option before a change, with the same checks as any other value.',
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
