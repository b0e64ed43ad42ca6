import { logEvent } from '@tidegate/contract'
import { channelMinutes } from '@tidegate/storage'
import { recordMissingKeys } from '../channels/fix-channels.ts'
import { probeDisabledChannels } from '../channels/probe/probe-disabled.ts'
import { sweepWhenDue } from '../channels/sweeps/sweep-plans.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './run-jobs.ts'

type ChannelJobDeps = Pick<Deps, 'db' | 'logs' | 'vault' | 'catalog' | 'catchUp' | 'log' | 'now' | 'probe' | 'upstream'>

/** Intervals of channel sweeps in minutes; 0 means never. */
export interface SweepIntervals {
  readonly testMinutes: number
  readonly balanceMinutes: number
}

const HOUR = 3600
const DAY_MS = 86_400_000
const MINUTE = 60
/** Shorter than the job lease, so two workers never probe at the same time. */
const PROBE_LIMIT_MS = 50_000

/** Channel maintenance: probes disabled channels, runs sweeps and removes old health data. */
export function channelJobs(deps: ChannelJobDeps, { testMinutes, balanceMinutes }: SweepIntervals): Job[] {
  const { db, vault, log, now } = deps
  return [
    {
      name: 'probe-disabled-channels',
      everySeconds: MINUTE,
      async run(stopping) {
        const signal = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_LIMIT_MS)])
        const back = await probeDisabledChannels(deps, signal)
        if (back > 0) logEvent(log, 'channel.reenabled', { back })
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
        if (counted > 0) logEvent(log, 'channel.keys_counted', { counted })
      },
    },
    ...(testMinutes > 0 ? [sweepJob(deps, 'test-all-channels', { kind: 'test', everyMinutes: testMinutes })] : []),
    ...(balanceMinutes > 0
      ? [sweepJob(deps, 'refresh-balances', { kind: 'balance', everyMinutes: balanceMinutes })]
      : []),
  ]
}

/** Checks every minute. A sweep may outlast the job lease, but has its own. */
function sweepJob(deps: ChannelJobDeps, name: string, sweep: Parameters<typeof sweepWhenDue>[1]): Job {
  return {
    name,
    everySeconds: MINUTE,
    async run(stopping) {
      if (await sweepWhenDue(deps, sweep, stopping)) logEvent(deps.log, 'channel.sweep_finished', { sweep: sweep.kind })
    },
  }
}
