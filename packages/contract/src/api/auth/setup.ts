import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

export const SetupStatus = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  /** `postgres` for a server, `embedded` for the built-in database. */
  database_type: z.enum(['postgres', 'embedded', 'sqlite', 'mysql']),
  /** The caller has a public address and must send the code of the server log. */
  code_required: z.boolean(),
})
export type SetupStatus = z.output<typeof SetupStatus>

export const getSetup = endpoint({
  method: 'GET',
  path: '/api/setup',
  access: 'public',
  summary: 'Returns whether the site is initialised, and what remains to be done.',
  reply: SetupStatus,
  errors: [],
})

/** Accepts any text: the operation checks the rules in the order of the form, with a specific error for each. */
export const SetupSubmission = z.object({
  username: z.string().default(''),
  password: z.string().default(''),
  confirmPassword: z.string().default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
  /** Public URL of the site, confirmed by the operator. */
  ServerAddress: z.string().default(''),
  /** Language of the site and of its default texts. */
  language: z.enum(['zh', 'en']).optional(),
  setup_code: z.string().optional(),
})
export type SetupSubmission = z.output<typeof SetupSubmission>

export const submitSetup = endpoint({
  method: 'POST',
  path: '/api/setup',
  access: 'public',
  summary: 'Initialises the site once: creates the super admin and sets the usage mode.',
  body: SetupSubmission,
  reply: z.undefined(),
  critical: true,
  errors: [
    'setup_done',
    'setup_username_required',
    'setup_username_invalid',
    'setup_password_short',
    'setup_password_long',
    'password_common',
    'password_like_name',
    'setup_password_mismatch',
    'setup_modes_exclusive',
    'setup_address_invalid',
    'setup_code_required',
  ],
})
