import { api } from '@tidegate/contract'
import { entityTag } from '../http/etag.ts'
import type { StoredChannel } from './channel.ts'

const FIELDS = Object.keys(api.CHANNEL_FIELD_GUARDS).filter((field) => field !== 'key') as (keyof StoredChannel)[]

/** Changes with the settings, the keys and the status of a channel, not with its use, its balance or its tests. */
export function channelTag(channel: StoredChannel): string {
  return entityTag([channel.id, channel.sealed_key, ...FIELDS.map((field) => channel[field])])
}
