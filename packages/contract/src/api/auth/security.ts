import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, IsoTime, text, stripNul } from '../../values.ts'
import { SIGN_IN_SERVICES } from './oauth.ts'
import { User } from '../users/users.ts'

/** A WebAuthn object; WebAuthn defines its format. */
const WebAuthnJson = z.record(z.string(), z.unknown())

/** WebAuthn options for an authenticator, and the ticket for its response. */
export const PasskeyQuestion = z.object({ ticket: z.string(), options: WebAuthnJson })
const PasskeyAssertion = z.object({ ticket: z.string(), response: WebAuthnJson })

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Synced between devices. */
  backed_up: z.boolean(),
  created_at: IsoTime,
  last_used_at: IsoTime.nullable(),
})
export type Passkey = z.output<typeof Passkey>

/** Security settings of the own account. */
export const Security = z.object({
  has_password: z.boolean(),
  /** Null while two-factor authentication is off. */
  totp: z.object({ enabled_at: IsoTime, recovery_codes_left: z.int() }).nullable(),
  passkeys: z.array(Passkey),
  identities: z.array(z.object({ service: z.enum(SIGN_IN_SERVICES), label: z.string(), bound_at: IsoTime })),
  /** Methods that `proveOwner` accepts; a password only without a stronger method. */
  reauth_methods: z.array(z.enum(['password', 'code', 'passkey'])),
  /** Until then no re-authentication is needed. Null for access tokens. */
  proved_until: IsoTime.nullable(),
  /** The account must set up a second factor: other requests are rejected until then. */
  second_factor_missing: z.boolean(),
})
export type Security = z.output<typeof Security>

export const getSecurity = endpoint({
  method: 'GET',
  path: '/api/user/security',
  access: 'user',
  enrolment: true,
  summary:
    'Returns the security settings of your account: password, two-factor authentication, passkeys and linked services.',
  reply: Security,
  errors: [],
})

export const askForProof = endpoint({
  method: 'POST',
  path: '/api/user/prove/options',
  access: 'user',
  enrolment: true,
  summary: 'Returns WebAuthn options for re-authentication with one of your passkeys.',
  reply: PasskeyQuestion,
  errors: ['session_required', 'passkey_not_found', 'passkey_address_unset'],
})

/**
 * Takes one of the three. It is valid for ten minutes for endpoints that reveal or change secrets. The password is
 * accepted only without two-factor authentication and without a passkey.
 */
export const proveOwner = endpoint({
  method: 'POST',
  path: '/api/user/prove',
  access: 'user',
  enrolment: true,
  summary: 'Re-authenticates the session with the password, a TOTP code or a passkey.',
  body: z.object({
    password: z.string().optional(),
    code: z.string().optional(),
    passkey: PasskeyAssertion.optional(),
  }),
  reply: z.object({ proved_until: IsoTime }),
  errors: [
    'session_required',
    'invalid_params',
    'reauth_factor_required',
    'original_password_wrong',
    'second_factor_wrong',
    'passkey_refused',
    'passkey_address_unset',
    'login_delayed',
  ],
})

export const beginTotp = endpoint({
  method: 'POST',
  path: '/api/user/totp/begin',
  access: 'user',
  enrolment: true,
  needsFactor: true,
  summary: 'Creates a TOTP secret. It takes effect when a code is confirmed.',
  proof: true,
  reply: z.object({ secret: z.string(), uri: z.string() }),
  errors: ['totp_on'],
})

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const enableTotp = endpoint({
  method: 'POST',
  path: '/api/user/totp',
  access: 'user',
  enrolment: true,
  needsFactor: true,
  summary: 'Enables two-factor authentication with a TOTP code. The response shows the recovery codes once.',
  proof: true,
  body: z.object({ code: z.string().default('') }),
  reply: RecoveryCodes,
  errors: ['totp_on', 'totp_not_begun', 'second_factor_wrong', 'login_delayed'],
})

export const disableTotp = endpoint({
  method: 'DELETE',
  path: '/api/user/totp',
  access: 'user',
  needsFactor: true,
  summary: 'Disables two-factor authentication and deletes its secret and recovery codes.',
  proof: true,
  reply: z.undefined(),
  errors: ['totp_off', 'last_second_factor'],
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/totp/recovery_codes',
  access: 'user',
  enrolment: true,
  needsFactor: true,
  summary: 'Creates recovery codes, which replace all previous ones. The response shows them once.',
  proof: true,
  reply: RecoveryCodes,
  errors: ['totp_off'],
})

export const askForNewPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/options',
  access: 'user',
  enrolment: true,
  needsFactor: true,
  summary: 'Returns WebAuthn options for creating a passkey.',
  proof: true,
  reply: PasskeyQuestion,
  errors: ['passkey_limit', 'passkey_address_unset'],
})

/** Maximum length in characters. */
export const PASSKEY_NAME_MAX_LENGTH = 40

const PasskeyName = z
  .string()
  .transform((name) => stripNul(name).trim())
  .pipe(text({ min: 1, max: PASSKEY_NAME_MAX_LENGTH }))

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys',
  access: 'user',
  enrolment: true,
  needsFactor: true,
  summary: 'Registers a passkey.',
  proof: true,
  body: PasskeyAssertion.extend({ name: PasskeyName }),
  reply: Passkey,
  errors: ['passkey_refused', 'passkey_known', 'passkey_limit', 'passkey_address_unset'],
})

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/user/passkeys/{id}',
  access: 'user',
  enrolment: true,
  summary: 'Renames one of your passkeys.',
  body: z.object({ name: PasskeyName }),
  reply: z.undefined(),
  errors: ['passkey_not_found'],
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/{id}',
  access: 'user',
  needsFactor: true,
  summary: 'Deletes one of your passkeys, unless it is your last sign-in method.',
  proof: true,
  reply: z.undefined(),
  errors: ['passkey_not_found', 'last_sign_in', 'last_second_factor'],
})

/**
 * Without a ticket: any passkey of this site, which identifies its user. With a ticket: passkeys of that pending login.
 */
export const askForPasskey = endpoint({
  method: 'POST',
  path: '/api/passkey/options',
  access: 'public',
  summary: 'Returns WebAuthn options for a login with a passkey, alone or as the second factor.',
  body: z.object({ login_ticket: z.string().optional() }),
  reply: PasskeyQuestion,
  errors: ['setup_required', 'passkey_address_unset', 'login_ticket_invalid'],
})

export const loginWithPasskey = endpoint({
  method: 'POST',
  path: '/api/user/login/passkey',
  access: 'public',
  summary: 'Logs in with a passkey, which counts as both factors; sets the session cookie.',
  body: PasskeyAssertion,
  reply: User,
  errors: [
    'passkey_refused',
    'passkey_address_unset',
    'user_banned',
    'user_deregistered',
    'login_delayed',
    'admin_address_not_allowed',
  ],
})

/** `login_ticket` comes from the error `second_factor_required`. `code` may also be a recovery code. */
export const finishLogin = endpoint({
  method: 'POST',
  path: '/api/user/login/second',
  access: 'public',
  summary: 'Completes a login with a TOTP code, a recovery code or a passkey; sets the session cookie.',
  body: z.object({
    login_ticket: z.string().default(''),
    code: z.string().optional(),
    passkey: PasskeyAssertion.optional(),
  }),
  reply: User,
  errors: [
    'login_ticket_invalid',
    'invalid_params',
    'second_factor_wrong',
    'passkey_refused',
    'passkey_address_unset',
    'user_banned',
    'user_deregistered',
    'login_delayed',
    'admin_address_not_allowed',
  ],
})
