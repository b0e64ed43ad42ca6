import { flag, integer } from '../define.ts'
import { commaList } from '../define-list.ts'
import { line } from '../define-text.ts'
import { GROUP_NAME } from '../operation/groups.ts'

const relay = { tab: 'models', section: 'global' } as const
const exemptions = { tab: 'models', section: 'exemptions' } as const
const retry = { tab: 'models', section: 'retry' } as const
const ping = { tab: 'models', section: 'ping' } as const

/** A status where `x` stands for any digit. */
const STATUS_PATTERN = /^[1-5x][\dx]{2}$/

/** How calls are passed on, whatever the vendor. */
export const relayOptions = {
  'global.pass_through_request_enabled': flag(relay, false),
  'global.hide_upstream_error_enabled': flag(relay, false),
  'global.block_browser_extension_enabled': flag(relay, false),

  'global.rate_limit_exempt_enabled': flag(exemptions, false),
  'global.rate_limit_exempt_group': line(exemptions, 'bulk-ok', { pattern: orBlank(GROUP_NAME) }),
  'global.safe_check_exempt_enabled': flag(exemptions, false),
  'global.safe_check_exempt_group': line(exemptions, 'nsfw-ok', { pattern: orBlank(GROUP_NAME) }),

  'global.auto_retry_enabled': flag(retry, false),
  'global.auto_retry_count': integer(retry, 3, { min: 1, max: 10 }),
  'global.auto_retry_force_channel_switch': flag(retry, false),
  /** Empty means every status. */
  'global.auto_retry_status_codes': commaList(retry, ['5xx', '4xx'], { pattern: STATUS_PATTERN, lowerCase: true }),

  'general_setting.ping_interval_enabled': flag(ping, false),
  'general_setting.ping_interval_seconds': integer(ping, 60, { min: 1 }),
}

function orBlank({ source, flags }: RegExp): RegExp {
  return new RegExp(`^$|${source}`, flags)
}
