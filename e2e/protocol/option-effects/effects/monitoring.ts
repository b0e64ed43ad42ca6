import { api } from '@tidegate/contract'
import type { Script } from '@tidegate/testing'
import { until } from '../../../scenarios/until.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { addPatient } from '../channels.ts'
import { newUser } from '../anonymous-client.ts'

const { enabled, autoDisabled } = api.CHANNEL_STATUS
const disabling = { AutomaticDisableChannelEnabled: 'true' }
const SLOW: Script = { headersAfterMs: 400 }
const REJECTING: Script = { status: 401 }
const FULL: Script = { status: 400, body: { error: { message: 'Sorry, the Harbour Is Full today.' } } }

/** The status of a channel after all channels are tested. */
function statusAfterTest(script: Script, first: typeof enabled | typeof autoDisabled = enabled) {
  return async (site: EffectSite) => {
    const { root, upstream, database } = site
    const { id } = await addPatient(root, upstream, script)
    try {
      await database.db.updateTable('channel').set({ status: first }).where('id', '=', id).execute()
      await root.call(api.testAllChannels)
      await until(async () => !(await root.call(api.getTestProgress)).running, 10_000)
      return (await root.call(api.getChannel, { path: { id } })).status
    } finally {
      await root.call(api.deleteChannel, { path: { id } })
    }
  }
}

/** The threshold that a new user sees. The test of the job covers the warnings. */
async function thresholdOf(site: EffectSite): Promise<unknown> {
  const { setting } = await (await newUser(site)).call(api.getSelf)
  return (JSON.parse(setting) as { quota_warning_threshold?: number }).quota_warning_threshold
}

export const monitoringEffects = {
  ChannelDisableThreshold: {
    given: disabling,
    value: '0.3',
    probe: statusAfterTest(SLOW),
    before: enabled,
    after: autoDisabled,
  },
  AutomaticDisableChannelEnabled: {
    value: 'true',
    probe: statusAfterTest(REJECTING),
    before: enabled,
    after: autoDisabled,
  },
  AutomaticDisableKeywords: {
    given: disabling,
    value: 'no such word\nharbour is full',
    probe: statusAfterTest(FULL),
    before: enabled,
    after: autoDisabled,
  },
  AutomaticEnableChannelEnabled: {
    value: 'true',
    probe: statusAfterTest({}, autoDisabled),
    before: autoDisabled,
    after: enabled,
  },
  QuotaRemindThreshold: {
    value: '750000',
    probe: thresholdOf,
    before: 500_000,
    after: 750_000,
  },
} satisfies Rows
