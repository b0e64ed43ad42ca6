import { channels, type Db } from '@tidegate/storage'

export interface FlaggedUsage {
  channelId: number
  model: string
  reportedTokens: number
  countedTokens: number
}

/** Records on a channel that its provider reported usage that the model cannot have used. Keeps the newest. */
export async function flagUsage(
  { db, now }: { db: Db; now(): Date },
  { channelId, model, reportedTokens, countedTokens }: FlaggedUsage,
): Promise<void> {
  const time = Math.floor(now().getTime() / 1000)
  await channels.addInfo(db, channelId, {
    usage_warning: { time, model, reported: reportedTokens, counted: countedTokens },
  })
}
