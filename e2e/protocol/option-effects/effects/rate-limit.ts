import { ask } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../site.ts'
import { PLAIN } from '../channels.ts'

const on = { ModelRequestRateLimitEnabled: 'true' }

/** How many calls a caller is told to have; null when there is no limit. */
const limitTold = (group: keyof EffectSite['member']['keys'] = 'default') => {
  return async (site: EffectSite) => {
    const { headers } = await ask(site, { model: PLAIN, key: site.member.keys[group] })
    return headers.get('x-ratelimit-limit-requests')
  }
}

/** Users start with a thousand successes a minute. */
export const rateLimitEffects = {
  ModelRequestRateLimitEnabled: { value: 'true', probe: limitTold(), before: null, after: '1000' },
  ModelRequestRateLimitCount: { given: on, value: '400', probe: limitTold(), before: '1000', after: '400' },
  ModelRequestRateLimitSuccessCount: { given: on, value: '300', probe: limitTold(), before: '1000', after: '300' },
  ModelRequestRateLimitDurationMinutes: { given: on, value: '0', probe: limitTold(), before: '1000', after: null },
  'global.rate_limit_exempt_enabled': {
    given: on,
    value: 'true',
    probe: limitTold('bulk-ok'),
    before: '1000',
    after: null,
  },
  'global.rate_limit_exempt_group': {
    given: { ...on, 'global.rate_limit_exempt_enabled': 'true' },
    value: 'vip',
    probe: limitTold('vip'),
    before: '1000',
    after: null,
  },
} satisfies Rows
