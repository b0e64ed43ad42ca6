import { sendChat } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { PLAIN } from '../channels.ts'

const on = { ModelRequestRateLimitEnabled: 'true' }

/** The request limit in the response headers; null if there is none. */
const rateLimitHeader = (group: keyof EffectSite['member']['keys'] = 'default') => {
  return async (site: EffectSite) => {
    const { headers } = await sendChat(site, { model: PLAIN, key: site.member.keys[group] })
    return headers.get('x-ratelimit-limit-requests')
  }
}

/** Users have a default limit of a thousand successes per minute. */
export const rateLimitEffects = {
  ModelRequestRateLimitEnabled: { value: 'true', probe: rateLimitHeader(), before: null, after: '1000' },
  ModelRequestRateLimitCount: { given: on, value: '400', probe: rateLimitHeader(), before: '1000', after: '400' },
  ModelRequestRateLimitSuccessCount: {
    given: on,
    value: '300',
    probe: rateLimitHeader(),
    before: '1000',
    after: '300',
  },
  ModelRequestRateLimitDurationMinutes: {
    given: on,
    value: '0',
    probe: rateLimitHeader(),
    before: '1000',
    after: null,
  },
  'global.rate_limit_exempt_enabled': {
    given: on,
    value: 'true',
    probe: rateLimitHeader('bulk-ok'),
    before: '1000',
    after: null,
  },
  'global.rate_limit_exempt_group': {
    given: { ...on, 'global.rate_limit_exempt_enabled': 'true' },
    value: 'vip',
    probe: rateLimitHeader('vip'),
    before: '1000',
    after: null,
  },
} satisfies Rows
