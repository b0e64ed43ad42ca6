import { ApiError } from '@tidegate/contract'
import { channels, type Db } from '@tidegate/storage'

export type StoredChannel = NonNullable<Awaited<ReturnType<typeof channels.find>>>

export async function findChannel(db: Db, id: number): Promise<StoredChannel> {
  const channel = await channels.find(db, id)
  if (!channel) throw new ApiError('channel_not_found')
  return channel
}
