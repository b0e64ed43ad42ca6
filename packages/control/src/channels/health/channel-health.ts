import { api } from '@tidegate/contract'
import { channelMinutes, channels, type Db } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

const { HEALTH_BUCKETS, HEALTH_BUCKET_SECONDS } = api

/** The last hour of each channel in aligned buckets. */
export async function channelHealth(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  ids: readonly number[],
): Promise<api.ChannelHealth[]> {
  if (ids.length === 0) return []
  const since = startOfLastHour(now())
  const start = since.getTime() / 1000
  const times = Array.from({ length: HEALTH_BUCKETS }, (_, index) => start + index * HEALTH_BUCKET_SECONDS)
  const sums = await channelMinutes.sumBuckets(db, { ids, since, bucketSeconds: HEALTH_BUCKET_SECONDS })
  const found = new Map(sums.map((sum) => [`${sum.channel_id}:${sum.time}`, sum]))
  return [...new Set(ids)].map((channel_id) => ({
    channel_id,
    buckets: times.map((time) => {
      const { succeeded = 0, failed = 0, total_ms = 0 } = found.get(`${channel_id}:${time}`) ?? {}
      return { time, succeeded, failed, average_ms: succeeded === 0 ? 0 : Math.round(total_ms / succeeded) }
    }),
  }))
}

/** Start of the oldest bucket. The newest bucket contains `now`. */
export function startOfLastHour(now: Date): Date {
  const newest = Math.floor(now.getTime() / 1000 / HEALTH_BUCKET_SECONDS)
  return new Date((newest - HEALTH_BUCKETS + 1) * HEALTH_BUCKET_SECONDS * 1000)
}

interface FlaggedUsage {
  channelId: number
  model: string
  reportedTokens: number
  countedTokens: number
}

/** Records on a channel that its provider reported implausible usage. Keeps the newest report. */
export async function recordImplausibleUsage(
  { db, now }: { db: Db; now(): Date },
  { channelId, model, reportedTokens, countedTokens }: FlaggedUsage,
): Promise<void> {
  const time = Math.floor(now().getTime() / 1000)
  await channels.addInfo(db, channelId, {
    usage_warning: { time, model, reported: reportedTokens, counted: countedTokens },
  })
}
