import { api } from '@tidegate/contract'
import { channelList, channelStats, type LastError } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { unixSeconds } from '../channel.ts'
import { startOfLastHour } from './channel-health.ts'
import { failingRule } from './channel-states.ts'

const DAY_MS = 86_400_000

/** State, attempts, billed amounts and last error of each channel, in the order of the IDs. */
export async function statsOfChannels(
  { db, logs, now }: Pick<Deps, 'db' | 'logs' | 'now'>,
  ids: readonly number[],
): Promise<api.ChannelStats[]> {
  if (ids.length === 0) return []
  const time = now()
  const midnight = new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)
  const days = { from: dayOf(new Date(midnight.getTime() - 29 * DAY_MS)), today: dayOf(midnight) }
  const [states, attempts, billed, errors] = await Promise.all([
    channelList.statesOf(db, ids, failingRule(time)),
    channelStats.sumAttempts(db, ids, { hour: startOfLastHour(time), today: midnight }),
    channelStats.sumBilled(db, ids, days),
    logs.lastErrors(ids, api.LOG_TYPE.error),
  ])
  const stateOf = new Map(states.map(({ id, state }) => [id, state]))
  const attemptsOf = byChannel(attempts)
  const billedOf = byChannel(billed)
  const errorOf = byChannel(errors)
  return ids.flatMap((channel_id) => {
    const state = stateOf.get(channel_id)
    if (state === undefined) return []
    const { succeeded = 0, failed = 0, first_token_ms = null, failed_today = 0 } = attemptsOf.get(channel_id) ?? {}
    const { requests_today = 0, quota_today = 0, requests = 0, quota = 0 } = billedOf.get(channel_id) ?? {}
    return {
      channel_id,
      state,
      last_hour: {
        succeeded,
        failed,
        first_token_average_ms: first_token_ms === null ? null : Math.round(first_token_ms),
      },
      today: { requests: requests_today, billed_quota: quota_today, failed: failed_today },
      last_30_days: { requests, billed_quota: quota },
      last_error: errorView(errorOf.get(channel_id)),
    }
  })
}

function errorView(error: LastError | undefined) {
  if (!error) return null
  const { code, status, message, model_name: model, created_at, request_id } = error
  return { code, status, message, model, time: unixSeconds(created_at), request_id }
}

function byChannel<Row extends { channel_id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.channel_id, row]))
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
