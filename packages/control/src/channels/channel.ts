import { api, ApiError } from '@tidegate/contract'
import { type ChannelRow, channels, type Db, type Vault } from '@tidegate/storage'
import { entityTag } from '../http/etag.ts'
import { joinKeys, maskKey, tryOpenKeys } from './keys/stored-keys.ts'

export type StoredChannel = NonNullable<Awaited<ReturnType<typeof channels.find>>>

export async function findChannel(db: Db, id: number): Promise<StoredChannel> {
  const channel = await channels.find(db, id)
  if (!channel) throw new ApiError('channel_not_found')
  return channel
}

/** A channel for lists, without its keys. */
export function channelView(channel: ChannelRow): api.Channel {
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    status: channel.status,
    base_url: channel.base_url,
    models: channel.models,
    group: channel.group,
    model_mapping: channel.model_mapping,
    status_code_mapping: channel.status_code_mapping,
    priority: channel.priority,
    weight: channel.weight,
    auto_ban: channel.auto_ban ? 1 : 0,
    test_model: channel.test_model,
    tag: channel.tag,
    model_prefix: channel.model_prefix,
    setting: channel.setting,
    param_override: channel.param_override,
    header_override: channel.header_override,
    system_prompt: channel.system_prompt,
    max_input_tokens: channel.max_input_tokens,
    openai_organization: channel.openai_organization,
    other: channel.other,
    other_info: Object.keys(channel.other_info).length === 0 ? '' : JSON.stringify(channel.other_info),
    used_quota: channel.used_quota,
    balance: Number(channel.balance),
    balance_updated_time: unixSeconds(channel.balance_updated_at),
    test_time: unixSeconds(channel.tested_at),
    response_time: channel.response_time_ms,
    created_time: unixSeconds(channel.created_at),
    key_count: channel.key_count,
    disabled_key_count: channel.disabled_key_count,
  }
}

/** A channel with masked keys; no keys when they cannot be opened, so that new ones can be entered. */
export function channelDetail(vault: Vault, channel: ChannelRow & { sealed_key: string }): api.ChannelDetail {
  const keys = tryOpenKeys(vault, channel) ?? []
  return { ...channelView(channel), key: joinKeys(keys.map(maskKey)) }
}

export function unixSeconds(time: Date | null): number {
  return time ? Math.floor(time.getTime() / 1000) : 0
}

const FIELDS = Object.keys(api.CHANNEL_FIELD_GUARDS).filter((field) => field !== 'key') as (keyof StoredChannel)[]

/** Changes with settings, keys and status, not with usage, balance or tests. */
export function channelEtag(channel: StoredChannel): string {
  return entityTag([channel.id, channel.sealed_key, ...FIELDS.map((field) => channel[field])])
}
