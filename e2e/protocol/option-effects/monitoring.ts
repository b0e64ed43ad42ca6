import { api } from '@tidegate/contract'
import { addToken, type Script } from '@tidegate/testing'
import { until } from '../../proof/until.ts'
import { ask, rowOf } from './ask.ts'
import type { Rows } from './effect.ts'
import { runJobs } from './run-jobs.ts'
import type { EffectSite } from './site.ts'
import { addPatient, PLAIN } from './vendors.ts'
import { newUser } from './visitor.ts'

const { enabled, autoDisabled } = api.CHANNEL_STATUS
const disabling = { AutomaticDisableChannelEnabled: 'true' }
const SLOW: Script = { headersAfterMs: 400 }
const REFUSING: Script = { status: 401 }
const FULL: Script = { status: 400, body: { error: { message: 'Sorry, the Harbour Is Full today.' } } }

/** What becomes of a channel when all channels are tested. */
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

const LITTLE = 600_000

/** The threshold that somebody new is shown, and whether a call that leaves so little makes them be warned. */
async function thresholdOf(site: EffectSite): Promise<unknown> {
  const client = await newUser(site)
  const { id, username, setting } = await client.call(api.getSelf)
  await site.root.call(api.updateUser, { body: { id, username, quota: LITTLE } })
  const { secret: key } = await addToken(client)
  const { requestId } = await ask(site, { model: PLAIN, key })
  await rowOf(site, requestId)
  await runJobs(site, ['warn-of-low-balances'])
  const { total: warnings } = await client.call(api.listInbox, { query: { p: 1, page_size: 10 } })
  const { quota_warning_threshold: shown } = JSON.parse(setting) as { quota_warning_threshold?: number }
  return { shown, warnings }
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
    probe: statusAfterTest(REFUSING),
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
    before: { shown: 500_000, warnings: 0 },
    after: { shown: 750_000, warnings: 1 },
  },
} satisfies Rows
