import type { OptionKey } from '@tidegate/contract/api'
import type { OptionChange } from './options.ts'

/**
 * The order in which the server accepts changes one by one. Switches go off first and on last, because the server checks
 * what they depend on. Sign-in methods go off at the very end, because one must always remain.
 */
export function saveOrder(changes: readonly OptionChange[]): OptionChange[] {
  return changes.toSorted((one, other) => rank(one) - rank(other))
}

function rank({ key, value }: OptionChange): number {
  if (value === 'false') return WAYS_IN.has(key) ? 4 : 0
  if (value === 'true') return 3
  return value === '' ? 1 : 2
}

const WAYS_IN: ReadonlySet<OptionKey> = new Set([
  'PasswordLoginEnabled',
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
  'WeChatAuthEnabled',
  'TelegramOAuthEnabled',
])
