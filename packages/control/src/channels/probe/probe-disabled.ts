import { api } from '@tidegate/contract'
import { channels, type ChannelState } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { enableChannel } from '../status.ts'
import { testChannel, type TestDeps } from './channel-test.ts'

type ProbeDeps = TestDeps & Pick<Deps, 'catchUp'>

const MINUTE_MS = 60_000
const MAX_PAUSE_MINUTES = 60
const CONCURRENCY = 4

/** Tests automatically disabled channels with growing intervals and enables those that pass. */
export async function probeDisabledChannels(deps: ProbeDeps, signal: AbortSignal): Promise<number> {
  if (!deps.probe || !deps.catalog().settings.AutomaticEnableChannelEnabled) return 0
  const states = await channels.listStates(deps.db, [api.CHANNEL_STATUS.autoDisabled])
  const due = states.filter((channel) => !api.UNTESTABLE_TYPES.has(channel.type) && isDue(channel, deps.now()))
  const waiting = due.values()
  let back = 0
  const work = async () => {
    for (const { id } of waiting) {
      if (signal.aborted) return
      const { ok } = await testChannel(deps, { id, signal })
      if (ok && !signal.aborted && (await enableChannel(deps, { channelId: id }))) back += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return back
}

/**
 * Due one minute after the channel was disabled, then after two, four, and so on up to an hour. The interval is the
 * time from disabling to the last test plus a minute, so only that test time is needed.
 */
export function isDue({ other_info, tested_at }: Pick<ChannelState, 'other_info' | 'tested_at'>, now: Date): boolean {
  const since = typeof other_info.status_time === 'number' ? other_info.status_time * 1000 : 0
  const last = Math.max(tested_at?.getTime() ?? 0, since)
  const pause = Math.min((last - since) / MINUTE_MS + 1, MAX_PAUSE_MINUTES) * MINUTE_MS
  return now.getTime() - last >= pause
}
