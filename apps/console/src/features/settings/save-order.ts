import type { OptionKey } from '@tidegate/contract/api'
import type { OptionChange } from './option-values.ts'

/**
 * The order in which the server can take changes one by one. What a switch needs may be cleared once it is off, and must
 * be there before it is on; a text that excludes another may be filled once that one is blank. A way to log in is closed
 * last, for there must always be one.
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
