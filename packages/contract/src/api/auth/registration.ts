import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalText } from '../../values.ts'

/** Token of the Turnstile widget; required while `turnstile_check` of the status is on. */
export const TurnstileQuery = z.object({ turnstile: OptionalText.optional() })

/** Minimum time between two codes to the same address. */
export const RESEND_SECONDS = 30

/** Accepts any text: the operation checks the rules in order, with a specific error for each. */
export const Registration = z.object({
  username: z.string().default(''),
  password: z.string().default(''),
  /** Compared with the password if present. */
  password2: z.string().optional(),
  email: z.string().default(''),
  verification_code: z.string().default(''),
  /** Invite code of another user; unknown codes are ignored. */
  aff_code: z.string().default(''),
})
export type Registration = z.output<typeof Registration>

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  access: 'public',
  summary: 'Creates an account with a password. Does not log in.',
  query: TurnstileQuery,
  body: Registration,
  reply: z.undefined(),
  critical: true,
  errors: [
    'setup_required',
    'register_off',
    'password_register_off',
    'invalid_input',
    'password_mismatch',
    'username_reserved',
    'username_confusable',
    'password_common',
    'password_like_name',
    'email_code_required',
    'code_invalid',
    'username_taken',
    'turnstile_empty',
    'turnstile_failed',
    'turnstile_unavailable',
  ],
})

/** Recipient of a mail, as query of a GET (used by the console). */
const MailQuery = z.object({ email: z.string().default(''), turnstile: OptionalText.optional() })
/** The same as a body, for programs that keep addresses out of request logs. */
const MailBody = z.object({ email: z.string().default('') })

const MAIL_ERRORS = [
  'email_invalid',
  'mail_not_configured',
  'cross_site_refused',
  'turnstile_empty',
  'turnstile_failed',
  'turnstile_unavailable',
] as const

const VERIFICATION_ERRORS = [
  ...MAIL_ERRORS,
  'email_domain_not_allowed',
  'email_alias_not_allowed',
  'user_id_header_missing',
  'user_id_header_malformed',
  'user_id_header_mismatch',
] as const

export const requestVerification = endpoint({
  method: 'GET',
  path: '/api/verification',
  access: 'visitor',
  summary:
    'Mails a code for registration, or, if you are logged in, for a new address. Does not reveal whether the address is in use.',
  sameOriginOnly: true,
  query: MailQuery,
  reply: z.undefined(),
  critical: true,
  errors: VERIFICATION_ERRORS,
})

export const postVerification = endpoint({
  method: 'POST',
  path: '/api/verification',
  access: 'visitor',
  summary: 'Same as `GET /api/verification`, for programs.',
  query: TurnstileQuery,
  body: MailBody,
  reply: z.undefined(),
  critical: true,
  errors: VERIFICATION_ERRORS,
})

export const bindEmail = endpoint({
  method: 'GET',
  path: '/api/oauth/email/bind',
  access: 'user',
  summary: 'Sets your email address with the code that was mailed to it.',
  sameOriginOnly: true,
  proof: true,
  query: z.object({ email: z.string().default(''), code: z.string().default('') }),
  reply: z.undefined(),
  critical: true,
  errors: ['invalid_params', 'email_invalid', 'code_invalid', 'email_taken'],
})

export const requestPasswordReset = endpoint({
  method: 'GET',
  path: '/api/reset_password',
  access: 'public',
  summary: 'Mails a password reset link. Does not reveal whether the address is in use.',
  sameOriginOnly: true,
  query: MailQuery,
  reply: z.undefined(),
  critical: true,
  errors: MAIL_ERRORS,
})

export const postPasswordReset = endpoint({
  method: 'POST',
  path: '/api/reset_password',
  access: 'public',
  summary: 'Same as `GET /api/reset_password`, for programs.',
  query: TurnstileQuery,
  body: MailBody,
  reply: z.undefined(),
  critical: true,
  errors: MAIL_ERRORS,
})

/** Both parts of the reset link, and optionally the new password. */
export const PasswordReset = z.object({
  email: z.string().default(''),
  token: z.string().default(''),
  password: z.string().optional(),
})
export type PasswordReset = z.output<typeof PasswordReset>

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/user/reset',
  access: 'public',
  summary:
    'Sets a new password with the token of a reset mail and ends all sessions. Returns the generated password; blank if the request contains one.',
  body: PasswordReset,
  reply: z.string(),
  critical: true,
  errors: ['invalid_params', 'invalid_input', 'password_common', 'password_like_name', 'reset_link_invalid'],
})
