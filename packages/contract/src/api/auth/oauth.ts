import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalText } from '../../values.ts'
import { User } from '../users/users.ts'

/** Services that redirect the browser back with a code. */
export const REDIRECT_SERVICES = ['github', 'oidc', 'linuxdo'] as const
export type RedirectService = (typeof REDIRECT_SERVICES)[number]

export const SIGN_IN_SERVICES = [...REDIRECT_SERVICES, 'wechat', 'telegram'] as const
export type SignInServiceName = (typeof SIGN_IN_SERVICES)[number]

/** Purpose of an OAuth flow. */
export const SIGN_IN_INTENTS = ['login', 'bind'] as const

/** Data of the error `second_factor_required`. */
export const SecondFactorNeeded = z.object({
  /** Identifies the pending login; valid for ten minutes and five attempts. */
  ticket: z.string(),
  methods: z.array(z.enum(['totp', 'recovery_code', 'passkey'])),
})
export type SecondFactorNeeded = z.output<typeof SecondFactorNeeded>

/** Errors of every sign-in. */
export const SIGN_IN_ERRORS = [
  'setup_required',
  'oauth_disabled',
  'oauth_unreachable',
  'oauth_bad_answer',
  'oauth_already_bound',
  'register_off',
  'user_banned',
  'user_deregistered',
  'second_factor_required',
] as const

const BIND_ERRORS = ['oauth_disabled', 'oauth_unreachable', 'oauth_bad_answer', 'oauth_already_bound'] as const

/** The first and last request of a binding need the user id header. */
const USER_ID_ERRORS = ['user_id_header_missing', 'user_id_header_malformed', 'user_id_header_mismatch'] as const

/**
 * Starts an OAuth flow. The reply is the URL for the browser, with state, PKCE challenge, nonce and redirect URI. The
 * state is valid once, for this service, intent and browser, for ten minutes.
 */
export const startSignIn = endpoint({
  method: 'POST',
  path: '/api/oauth/start',
  access: 'visitor',
  summary: 'Starts a sign-in or a link with an external service and returns the URL for the browser.',
  body: z.object({
    service: z.enum(REDIRECT_SERVICES),
    intent: z.enum(SIGN_IN_INTENTS).default('login'),
    /** Invite code for an account that this sign-in may create. */
    aff: OptionalText.optional(),
  }),
  reply: z.object({ url: z.string(), state: z.string() }),
  critical: true,
  errors: [
    'setup_required',
    'oauth_disabled',
    'oauth_unreachable',
    'oauth_bad_answer',
    'not_logged_in',
    'proof_required',
    ...USER_ID_ERRORS,
  ],
})

/** Only the state, for callers that build the URL of the service themselves. `startSignIn` adds PKCE and a nonce. */
export const getSignInState = endpoint({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'visitor',
  summary:
    'Returns an OAuth state for callers that build the URL. Without `service`, it is valid for every enabled service.',
  sameOriginOnly: true,
  query: z.object({
    service: z.enum(REDIRECT_SERVICES).optional(),
    intent: z.enum(SIGN_IN_INTENTS).default('login'),
    aff: OptionalText.optional(),
  }),
  reply: z.string(),
  critical: true,
  errors: ['setup_required', 'oauth_disabled', 'not_logged_in', 'proof_required', ...USER_ID_ERRORS],
})

const CallbackQuery = z.object({
  code: z.string().default(''),
  state: z.string().default(''),
  /** Sent by the service instead of a code when the user cancelled. */
  error: OptionalText.optional(),
  error_description: OptionalText.optional(),
})

/** After a binding `message` is `bind` and there is no `data`. After a login `data` is the user. */
export const SignInAnswer = z.object({ success: z.literal(true), message: z.string(), data: User.optional() })

const CALLBACK_ERRORS = [
  ...SIGN_IN_ERRORS,
  'oauth_state_invalid',
  'oauth_refused',
  'not_logged_in',
  ...USER_ID_ERRORS,
] as const

export const finishGitHub = endpoint({
  method: 'GET',
  path: '/api/oauth/github',
  access: 'visitor',
  summary: 'Completes a sign-in or a link with GitHub.',
  sameOriginOnly: true,
  query: CallbackQuery,
  reply: SignInAnswer,
  bare: true,
  critical: true,
  errors: [...CALLBACK_ERRORS, 'github_name_unproven'],
})

export const finishOidc = endpoint({
  method: 'GET',
  path: '/api/oauth/oidc',
  access: 'visitor',
  summary: 'Completes a sign-in or a link with OpenID Connect.',
  sameOriginOnly: true,
  // All parameters of the provider: `iss` is checked as well.
  query: CallbackQuery.extend({ iss: OptionalText.optional() }),
  reply: SignInAnswer,
  bare: true,
  critical: true,
  errors: CALLBACK_ERRORS,
})

export const finishLinuxDo = endpoint({
  method: 'GET',
  path: '/api/oauth/linuxdo',
  access: 'visitor',
  summary: 'Completes a sign-in or a link with LinuxDO.',
  sameOriginOnly: true,
  query: CallbackQuery,
  reply: SignInAnswer,
  bare: true,
  critical: true,
  errors: [...CALLBACK_ERRORS, 'trust_level_low', 'linuxdo_inactive'],
})

const WeChatQuery = z.object({ code: z.string().default('') })

export const loginWithWeChat = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat',
  access: 'visitor',
  summary: 'Logs in or registers with a code from the WeChat account of the site.',
  sameOriginOnly: true,
  query: WeChatQuery,
  reply: User,
  critical: true,
  errors: [...SIGN_IN_ERRORS, 'code_invalid'],
})

export const bindWeChat = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat/bind',
  access: 'user',
  summary: 'Links WeChat to your account.',
  sameOriginOnly: true,
  proof: true,
  query: WeChatQuery,
  reply: z.undefined(),
  critical: true,
  errors: [...BIND_ERRORS, 'code_invalid'],
})

/** All fields of the widget, including unknown ones: the signature covers them. */
const TelegramQuery = z.record(z.string(), z.string())

export const loginWithTelegram = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/login',
  access: 'visitor',
  summary: 'Logs in with data signed by the Telegram widget. Never registers.',
  sameOriginOnly: true,
  query: TelegramQuery,
  reply: User,
  critical: true,
  errors: [...SIGN_IN_ERRORS, 'telegram_invalid', 'telegram_unbound'],
})

/** Used by the console. A browser that the widget navigates to this path is redirected. */
export const bindTelegram = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/bind',
  access: 'user',
  summary: 'Links Telegram to your account with data signed by its widget.',
  sameOriginOnly: true,
  proof: true,
  query: TelegramQuery,
  reply: z.undefined(),
  critical: true,
  errors: [...BIND_ERRORS, 'telegram_invalid'],
})

export const unbindService = endpoint({
  method: 'POST',
  path: '/api/user/identities/unbind',
  access: 'user',
  summary: 'Unlinks an external service, unless it is your last sign-in method.',
  proof: true,
  body: z.object({ service: z.enum(SIGN_IN_SERVICES) }),
  reply: z.undefined(),
  errors: ['identity_not_bound', 'last_sign_in'],
})
