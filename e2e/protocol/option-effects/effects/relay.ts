import { pick } from '../../routing/protocols.ts'
import { sendChat, INGRESS_NAMES, sentFor, statusOf } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { COMPLAINING, COMPLAINT, FAILING, OVERRIDDEN, PLAIN, STALLING, TIERED } from '../channels.ts'

const retrying = { 'global.auto_retry_enabled': 'true' }
const attempts = async (site: EffectSite) => (await sentFor(site, { model: FAILING })).length

/** Keys of the channels that were tried, in order. */
const keysTried = async (site: EffectSite) =>
  (await sentFor(site, { model: TIERED })).map(({ headers }) => headers.authorization?.replace('Bearer key-of-', ''))

/** Whether a stream got a ping while its upstream stalled. */
async function isPinged(site: EffectSite): Promise<boolean> {
  const { raw } = await sendChat(site, { model: STALLING, stream: true })
  return raw.startsWith(':')
}

export const relayEffects = {
  'global.pass_through_request_enabled': {
    value: 'true',
    async probe(site) {
      const [request] = await sentFor(site, { model: OVERRIDDEN, body: { temperature: 0.5 } })
      return pick(request?.body, 'temperature')
    },
    before: 0.125, // of the channel
    after: 0.5,
  },
  'global.hide_upstream_error_enabled': {
    value: 'true',
    probe: async (site) =>
      String((await sendChat(site, { model: COMPLAINING })).message).replace(/ \(request id.*/, ''),
    before: COMPLAINT,
    after: 'upstream error with status code 400',
  },
  'global.block_browser_extension_enabled': {
    value: 'true',
    async probe(site) {
      const headers = { origin: 'chrome-extension://abcdefghijklmnop' }
      return await Promise.all(INGRESS_NAMES.map((ingress) => statusOf(site, { model: PLAIN, ingress, headers })))
    },
    before: INGRESS_NAMES.map(() => 200),
    after: INGRESS_NAMES.map(() => 403),
  },

  'global.auto_retry_enabled': { value: 'true', probe: attempts, before: 3, after: 4 },
  'global.auto_retry_count': { given: retrying, value: '1', probe: attempts, before: 4, after: 2 },
  'global.auto_retry_status_codes': { given: retrying, value: '5xx,42x', probe: attempts, before: 4, after: 1 },
  'global.auto_retry_force_channel_switch': {
    given: { ...retrying, 'global.auto_retry_count': '1' },
    value: 'true',
    probe: keysTried,
    before: ['tier-one', 'tier-two'],
    after: ['tier-one', 'tier-three'],
  },

  'general_setting.ping_interval_enabled': {
    given: { 'general_setting.ping_interval_seconds': '1' },
    value: 'true',
    probe: isPinged,
    before: false,
    after: true,
  },
  'general_setting.ping_interval_seconds': {
    given: { 'general_setting.ping_interval_enabled': 'true' },
    value: '1',
    probe: isPinged,
    before: false,
    after: true,
  },
} satisfies Rows
