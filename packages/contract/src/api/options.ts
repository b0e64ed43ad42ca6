import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** An option as text, the way the wire and the table hold it. */
export const OptionRow = z.object({ key: z.string(), value: z.string() })
export type OptionRow = z.output<typeof OptionRow>

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option',
  access: 'root',
  summary: 'Every option with its current value; secrets are left out.',
  reply: z.array(OptionRow),
  errors: [],
})

export const updateOption = endpoint({
  method: 'PUT',
  path: '/api/option',
  access: 'root',
  summary: 'Sets one option; effective on every node within two seconds.',
  body: z.object({ key: z.string(), value: z.union([z.string(), z.number(), z.boolean()]).transform(String) }),
  reply: z.undefined(),
  errors: [
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
