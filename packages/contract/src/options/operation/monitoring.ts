import { MAX_QUOTA } from '../../values.ts'
import { flag, integer, number } from '../define.ts'
import { lines } from '../define-list.ts'

const monitoring = { tab: 'operation', section: 'monitoring' } as const

export const monitoringOptions = {
  /** Seconds; 0 never disables for being slow. */
  ChannelDisableThreshold: number(monitoring, 5, { min: 0 }),
  /** Below this a user is warned who has set no figure of their own; 0 warns nobody. The console shows the same. */
  QuotaRemindThreshold: integer(monitoring, 500_000, { min: 0, max: MAX_QUOTA }),
  AutomaticDisableChannelEnabled: flag(monitoring, false),
  AutomaticEnableChannelEnabled: flag(monitoring, false),
  /** Found anywhere in an upstream's error, in any case. */
  AutomaticDisableKeywords: lines(monitoring, [
    'Your credit balance is too low',
    'This organization has been disabled.',
    'You exceeded your current quota',
    'Permission denied',
    'The security token included in the request is invalid',
    'Operation not allowed',
    'Your account is not authorized',
  ]),
}
