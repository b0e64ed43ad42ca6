import { flag, integer } from '../define.ts'
import { commaList } from '../define-list.ts'
import { isAddressOrRange } from '../../address-range.ts'

const policy = { tab: 'system', section: 'security-policy', guard: 'reauth' } as const

const MAX_SESSION_DAYS = 90

/** Rules for the sessions and tokens of the console. */
export const securityPolicyOptions = {
  /** Administrators without two-factor authentication and without a passkey can only set one up. */
  'security.require_two_factor_for_admins': flag(policy, false),
  /** Addresses and ranges from which administrators may use the console and its API; blank: everywhere. */
  'security.console_allowed_addresses': commaList(policy, [], {
    accepts: { test: isAddressOrRange, message: 'not an IP address or range', zh: '不是 IP 地址或网段' },
    lowerCase: true,
  }),
  /** Applies to sessions that are open as well. */
  'security.session_days': integer(policy, 30, { min: 1, max: MAX_SESSION_DAYS }),
  /** Minutes without a request after which a session ends; 0: never. */
  'security.session_idle_minutes': integer(policy, 0, { min: 0, max: MAX_SESSION_DAYS * 24 * 60 }),
}
