import type { ErrorDetails } from '../errors.ts'
import type { OptionKey, Settings } from './registry.ts'

/** Why an option cannot have a value in combination with the other options. */
export interface OptionConflict {
  readonly code:
    | 'option_guard_needs'
    | 'option_guard_in_use'
    | 'option_guard_modes_exclusive'
    | 'option_guard_fallback_mixed'
    | 'option_guard_fallback_incomplete'
    | 'option_guard_last_sign_in'
  readonly details: ErrorDetails
}

/** Checks a new value against the other options; undefined means it is valid. */
export function guardOption<Key extends OptionKey>(
  settings: Settings,
  key: Key,
  value: Settings[Key],
): OptionConflict | undefined {
  const next: Settings = { ...settings, [key]: value }
  return (
    missingPrerequisite(next, key) ??
    clearedPrerequisite(settings, next, key) ??
    exclusiveModes(next, key) ??
    fallbackPrices(next, key) ??
    disabledLastSignIn(settings, next, key)
  )
}

type Switch = keyof typeof PREREQUISITES

/** Options that must be set before another option is enabled or set. */
const PREREQUISITES = {
  GitHubOAuthEnabled: ['ServerAddress', 'GitHubClientId', 'GitHubClientSecret'],
  'oidc.enabled': [
    'ServerAddress',
    'oidc.client_id',
    'oidc.client_secret',
    'oidc.authorization_endpoint',
    'oidc.token_endpoint',
    'oidc.user_info_endpoint',
  ],
  LinuxDOOAuthEnabled: ['ServerAddress', 'LinuxDOClientId', 'LinuxDOClientSecret'],
  WeChatAuthEnabled: ['WeChatServerAddress', 'WeChatServerToken'],
  TelegramOAuthEnabled: ['ServerAddress', 'TelegramBotToken'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  // Mails contain links to the site.
  SMTPServer: ['ServerAddress'],
  EmailVerificationEnabled: ['ServerAddress'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  'stripe.enabled': ['stripe.secret_key', 'stripe.webhook_secret'],
} as const satisfies Partial<Record<OptionKey, readonly OptionKey[]>>

const SWITCHES = Object.keys(PREREQUISITES) as Switch[]

function missingPrerequisite(next: Settings, key: OptionKey): OptionConflict | undefined {
  const turned = SWITCHES.find((candidate) => candidate === key)
  if (turned === undefined || !next[turned]) return undefined
  const missing = PREREQUISITES[turned].filter((needed) => isBlank(next[needed]))
  if (missing.length === 0) return undefined
  return { code: 'option_guard_needs', details: { key, missing: missing.join(', ') } }
}

/** Checks only the cleared option, so that a partly filled form can be completed. */
function clearedPrerequisite(settings: Settings, next: Settings, key: OptionKey): OptionConflict | undefined {
  if (!isBlank(next[key]) || isBlank(settings[key])) return undefined
  const user = SWITCHES.find((candidate) => next[candidate] && needs(candidate, key))
  return user && { code: 'option_guard_in_use', details: { key, user } }
}

function needs(user: Switch, key: OptionKey): boolean {
  return (PREREQUISITES[user] as readonly OptionKey[]).includes(key)
}

function exclusiveModes(next: Settings, key: OptionKey): OptionConflict | undefined {
  const chosen = key === 'SelfUseModeEnabled' || key === 'DemoSiteEnabled'
  if (!chosen || !next.SelfUseModeEnabled || !next.DemoSiteEnabled || !next[key]) return undefined
  return { code: 'option_guard_modes_exclusive', details: {} }
}

const FALLBACK_KEYS: ReadonlySet<OptionKey> = new Set([
  'fallback_pricing_enabled',
  'fallback_single_price',
  'fallback_input_ratio',
  'fallback_completion_ratio',
])

/** Values may be filled in one by one while the switch is off, but never mixed. */
function fallbackPrices(next: Settings, key: OptionKey): OptionConflict | undefined {
  if (!FALLBACK_KEYS.has(key)) return undefined
  const adds = key !== 'fallback_pricing_enabled' && !isBlank(next[key])
  if ((adds || next.fallback_pricing_enabled) && isFallbackMixed(next)) {
    return { code: 'option_guard_fallback_mixed', details: {} }
  }
  if (next.fallback_pricing_enabled && !isFallbackComplete(next)) {
    return { code: 'option_guard_fallback_incomplete', details: {} }
  }
  return undefined
}

function disabledLastSignIn(settings: Settings, next: Settings, key: OptionKey): OptionConflict | undefined {
  const wasOpen = settings.PasswordLoginEnabled || enabledSignIns(settings).length > 0
  const isOpen = next.PasswordLoginEnabled || enabledSignIns(next).length > 0
  return wasOpen && !isOpen ? { code: 'option_guard_last_sign_in', details: { key } } : undefined
}

function isBlank(value: unknown): boolean {
  return value === '' || value === undefined || (Array.isArray(value) && value.length === 0)
}

type FallbackPrices = Pick<Settings, 'fallback_single_price' | 'fallback_input_ratio' | 'fallback_completion_ratio'>

/** Whether a price per request and ratios are both set, so that billing would be ambiguous. */
function isFallbackMixed(prices: FallbackPrices): boolean {
  const byRatio = isSet(prices.fallback_input_ratio) || isSet(prices.fallback_completion_ratio)
  return isSet(prices.fallback_single_price) && byRatio
}

/** Whether either the price per request or both ratios are set. */
export function isFallbackComplete(prices: FallbackPrices): boolean {
  if (isFallbackMixed(prices)) return false
  if (isSet(prices.fallback_single_price)) return true
  return isSet(prices.fallback_input_ratio) && isSet(prices.fallback_completion_ratio)
}

/** Forms send zero for an empty field, which must not make unknown models free. */
function isSet(value: number | undefined): boolean {
  return value !== undefined && value > 0
}

export type SignInService = 'github' | 'oidc' | 'linuxdo' | 'wechat' | 'telegram'

/** Enabled sign-in services. */
export function enabledSignIns(settings: Settings): SignInService[] {
  const open: Record<SignInService, boolean> = {
    github: settings.GitHubOAuthEnabled,
    oidc: settings['oidc.enabled'],
    linuxdo: settings.LinuxDOOAuthEnabled,
    wechat: settings.WeChatAuthEnabled,
    telegram: settings.TelegramOAuthEnabled,
  }
  return (Object.keys(open) as SignInService[]).filter((service) => open[service])
}
