import type { OptionKey } from '@tidegate/contract/api'
import type { OptionChange } from './options.ts'

/**
 * The order in which the server accepts changes one by one. Switches are disabled first and enabled last, because the
 * server checks their dependencies. Sign-in methods are disabled at the end, because one must always remain.
 */
export function saveOrder(changes: readonly OptionChange[]): OptionChange[] {
  return changes.toSorted((one, other) => rank(one) - rank(other))
}

function rank({ key, value }: OptionChange): number {
  if (value === 'false') return SIGN_IN_METHODS.has(key) ? 4 : 0
  if (value === 'true') return 3
  return value === '' ? 1 : 2
}

const SIGN_IN_METHODS: ReadonlySet<OptionKey> = new Set([
  'PasswordLoginEnabled',
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
  'WeChatAuthEnabled',
  'TelegramOAuthEnabled',
])
