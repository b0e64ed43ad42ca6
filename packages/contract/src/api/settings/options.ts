import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

/** An option as text. Send `etag` in `If-Match` to detect concurrent changes of this option. */
export const OptionRow = z.object({ key: z.string(), value: z.string(), etag: z.string() })
export type OptionRow = z.output<typeof OptionRow>

export const listOptions = endpoint({
  settingsArea: 'any',
  versioned: true,
  method: 'GET',
  path: '/api/option',
  access: 'root',
  summary: 'Lists all options with their current values, without secrets.',
  reply: z.array(OptionRow),
  errors: [],
})

export type { OptionKey } from '../../options/registry.ts'

/** Metadata of an option for forms. */
export const OptionFacts = z.object({
  key: z.string(),
  kind: z.enum(['boolean', 'integer', 'number', 'text', 'lines', 'list', 'url', 'choice', 'json']),
  tab: z.enum(['operation', 'ratelimit', 'models', 'system', 'other']),
  section: z.string(),
  /** Default value as text. */
  default: z.string(),
  /** In the order of the form; only for kind `choice`. */
  choices: z.array(z.string()),
  /** Limits of a number; `above` is exclusive. */
  min: z.number().optional(),
  max: z.number().optional(),
  above: z.number().optional(),
  secret: z.boolean(),
  /** Whether it is set; secrets show nothing else. */
  is_set: z.boolean(),
})
export type OptionFacts = z.output<typeof OptionFacts>

export const getOptionSchema = endpoint({
  settingsArea: 'any',
  method: 'GET',
  path: '/api/option/schema',
  access: 'root',
  summary:
    'Lists all options with kind, section and default, and whether they are set. Includes secrets without their values.',
  reply: z.array(OptionFacts),
  errors: [],
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/option/test_mail',
  access: 'root',
  summary: 'Sends a test mail through the stored mail server and returns the error of that server, if any.',
  body: z.object({ to: z.string().trim().default('') }),
  reply: z.object({ sent: z.boolean(), problem: z.string() }),
  errors: ['email_invalid', 'mail_not_configured'],
})

export const discoverOidc = endpoint({
  method: 'POST',
  path: '/api/option/oidc_discovery',
  access: 'root',
  summary: "Fetches the endpoints of an OpenID provider's discovery document, for the form. Stores nothing.",
  body: z.object({ well_known: z.string().trim().default('') }),
  reply: z.object({
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    /** Blank when the provider has none. */
    user_info_endpoint: z.string(),
  }),
  errors: ['oauth_unreachable', 'oauth_private_address', 'egress_not_allowed', 'oauth_bad_answer'],
})

const OptionValue = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const updateErrors = [
  'option_unknown',
  'option_not_granted',
  'option_invalid',
  'option_guard_needs',
  'option_guard_in_use',
  'option_guard_modes_exclusive',
  'option_guard_fallback_mixed',
  'option_guard_fallback_incomplete',
  'option_guard_last_sign_in',
  'policy_needs_own_factor',
  'policy_excludes_own_address',
  'proof_required',
] as const

export const updateOption = endpoint({
  settingsArea: 'any',
  versioned: true,
  method: 'PUT',
  path: '/api/option',
  access: 'root',
  summary:
    'Sets one option. It takes effect on every node within two seconds. A guarded option needs recent re-authentication.',
  body: z.object({ key: z.string(), value: OptionValue }),
  reply: z.undefined(),
  errors: updateErrors,
})

/** Options that one request can set. */
const MAX_UPDATES = 100

export const updateOptions = endpoint({
  settingsArea: 'any',
  method: 'PUT',
  path: '/api/option/batch',
  access: 'root',
  summary:
    'Sets several options, all of them or none, and returns their new versions. With `etag`, an option must still have that version.',
  body: z.object({
    options: z
      .array(z.object({ key: z.string(), value: OptionValue, etag: z.string().optional() }))
      .min(1)
      .max(MAX_UPDATES),
  }),
  reply: z.array(z.object({ key: z.string(), etag: z.string() })),
  errors: [...updateErrors, 'edit_conflict'],
})
