import { countMissingKeys, probeDisabledChannels, type Deps } from '@tidegate/control'
import { channelMinutes } from '@tidegate/storage'
import type { Job } from './run-jobs.ts'

type ChannelJobDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'log' | 'now' | 'probe'>

const HOUR = 3600
const DAY_MS = 86_400_000
const PROBE_SECONDS = 60
/** Ends before the lease of the job does, so that two workers never probe together. */
const PROBE_LIMIT_MS = 50_000

/** Looks after channels: tries those that went out of use by themselves, and forgets how yesterday went. */
export function channelJobs(deps: ChannelJobDeps): Job[] {
  const { db, vault, log, now } = deps
  return [
    {
      name: 'probe-disabled-channels',
      everySeconds: PROBE_SECONDS,
      async run(stopping) {
        const signal = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_LIMIT_MS)])
        const back = await probeDisabledChannels(deps, signal)
        if (back > 0) log.info({ back }, 'channels that passed their test are back in use')
      },
    },
    {
      name: 'prune-channel-minutes',
      everySeconds: HOUR,
      async run() {
        await channelMinutes.removeBefore(db, new Date(now().getTime() - DAY_MS))
      },
    },
    {
      name: 'count-channel-keys',
      everySeconds: HOUR,
      async run() {
        const counted = await countMissingKeys({ db, vault })
        if (counted > 0) log.info({ counted }, 'the keys of older channels were counted')
      },
    },
  ]
}
