import type { api } from '@tidegate/contract'
import type { ShadowCallRow } from '@tidegate/storage'

/** Names are blank where the user, the token or the channel is gone. */
export function callView(row: ShadowCallRow): api.ShadowCall {
  const { created_at, username, token_name, channel_name, old_log_at, old_channel_name, ...rest } = row
  return {
    ...rest,
    created_at: toSeconds(created_at),
    username: username ?? '',
    token_name: token_name ?? '',
    channel_name: channel_name ?? '',
    old_log_at: old_log_at && toSeconds(old_log_at),
    old_channel_name: old_channel_name ?? '',
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
