import { channelMinutes } from '@tidegate/storage'
import { recordMissingKeys } from '../channels/fix-channels.ts'
import { probeDisabledChannels } from '../channels/probe/probe-disabled.ts'
import { sweepWhenDue } from '../channels/sweeps/sweep-plans.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './run-jobs.ts'

type ChannelJobDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'log' | 'now' | 'probe' | 'upstream'>

/** How often all channels are gone over, in minutes; 0 means never. */
export interface SweepIntervals {
  readonly testMinutes: number
  readonly balanceMinutes: number
}

const HOUR = 3600
const DAY_MS = 86_400_000
const MINUTE = 60
/** Ends before the lease of the job does, so that two workers never probe together. */
const PROBE_LIMIT_MS = 50_000

/** Looks after channels: tries those that went out of use by themselves or all, and forgets how yesterday went. */
export function channelJobs(deps: ChannelJobDeps, { testMinutes, balanceMinutes }: SweepIntervals): Job[] {
  const { db, vault, log, now } = deps
  return [
    {
      name: 'probe-disabled-channels',
      everySeconds: MINUTE,
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
        const counted = await recordMissingKeys({ db, vault })
        if (counted > 0) log.info({ counted }, 'the keys of older channels were counted')
      },
    },
    ...(testMinutes > 0 ? [sweepJob(deps, 'test-all-channels', { kind: 'test', everyMinutes: testMinutes })] : []),
    ...(balanceMinutes > 0
      ? [sweepJob(deps, 'refresh-balances', { kind: 'balance', everyMinutes: balanceMinutes })]
      : []),
  ]
}

/** Looks every minute whether it is time. A sweep may outlast the lease of the job, but has one of its own. */
function sweepJob(deps: ChannelJobDeps, name: string, sweep: Parameters<typeof sweepWhenDue>[1]): Job {
  return {
    name,
    everySeconds: MINUTE,
    async run(stopping) {
      if (await sweepWhenDue(deps, sweep, stopping)) deps.log.info({ sweep: sweep.kind }, 'all channels were gone over')
    },
  }
}
