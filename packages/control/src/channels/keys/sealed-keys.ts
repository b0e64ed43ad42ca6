import { ApiError } from '@tidegate/contract'
import { channelKeyContext, channelKeyHash, channelKeys, splitKeys, type Db, type Vault } from '@tidegate/storage'
import { joinKeys } from './stored-keys.ts'

interface SealedChannel {
  id: number
  type: number
  sealed_key: string
}

/** The keys of a channel in clear. */
export function openKeys(vault: Vault, channel: SealedChannel): string[] {
  const keys = tryOpenKeys(vault, channel)
  if (!keys) throw new ApiError('channel_key_unreadable')
  return keys
}

/** Undefined when they were sealed with another root key. */
export function tryOpenKeys(vault: Vault, { id, type, sealed_key }: SealedChannel): string[] | undefined {
  try {
    return splitKeys(type, vault.open('channel-key', channelKeyContext(id), sealed_key))
  } catch {
    return undefined
  }
}

export function sealKeys(vault: Vault, id: number, keys: readonly string[]): string {
  return vault.seal('channel-key', channelKeyContext(id), joinKeys(keys))
}

/** Notes which keys a channel has, so that they can be found and switched one by one. */
export function countKeys(db: Db, vault: Vault, id: number, keys: readonly string[]): Promise<void> {
  return channelKeys.replace(
    db,
    id,
    keys.map((key) => channelKeyHash(vault, key)),
  )
}
