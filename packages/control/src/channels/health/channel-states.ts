import { api } from '@tidegate/contract'
import { type ChannelFilters, channelList, type FailingRule, type ListContext } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { startOfLastHour } from './channel-health.ts'

/** The rule by which an enabled channel is failing at a time. */
export function failingRule(now: Date): FailingRule {
  return { since: startOfLastHour(now), ...api.FAILING_CHANNEL }
}

/** What the list of channels needs for states and sorting. Days are in UTC, like the roll-ups. */
export function listContext(now: Date): ListContext {
  return { failing: failingRule(now), today: now.toISOString().slice(0, 10) }
}

/** Counts the matching channels by state. */
export async function summarizeChannels(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  filters: ChannelFilters,
): Promise<api.ReplyOf<typeof api.getChannelSummary>> {
  const summary = { all: 0, healthy: 0, failing: 0, auto_disabled: 0, disabled: 0 }
  for (const { state, count } of await channelList.countStates(db, filters, listContext(now()))) {
    summary[state] = count
    summary.all += count
  }
  return summary
}
