import { createPrivateKey } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { channelKeyContext, channelKeyHash, channelKeys, type Db, splitKeys, type Vault } from '@tidegate/storage'
import { checkHeaderText } from '../check-fields.ts'

/** Parses entered keys, without duplicates, and validates them by type. */
export function readKeys(type: number, text: string): string[] {
  return mergeKeys(type, text, [])
}

/** The same for a channel with stored keys: a masked line stands for the stored key. */
export function mergeKeys(type: number, text: string, stored: readonly string[]): string[] {
  const left = [...stored]
  const keys = splitKeys(type, text).map((line) => {
    if (!isMasked(line)) return api.channelTypeOf(type)?.singleKey ? line : checkHeaderText('key', line)
    const index = left.findIndex((key) => maskKey(key) === line)
    if (index === -1) throw new ApiError('channel_key_mask_unknown')
    return left.splice(index, 1)[0]!
  })
  const merged = [...new Set(keys)]
  checkKeys(type, merged)
  return merged
}

export function checkKeys(type: number, keys: readonly string[]): void {
  const kind = api.channelTypeOf(type)
  if (!kind) return
  if (kind.singleKey && keys.length > 1) throw new ApiError('channel_key_single')
  const fits = kind.singleKey ? isServiceAccount : (key: string) => kind.keyPattern?.test(key) ?? true
  if (!keys.every(fits)) throw new ApiError('channel_key_shape', { shape: kind.keyHint })
}

/** Format of keys in the sealed text. */
export function joinKeys(keys: readonly string[]): string {
  return keys.join('\n')
}

const SERVICE_ACCOUNT_FIELDS = ['project_id', 'client_email', 'private_key']

function isServiceAccount(key: string): boolean {
  try {
    const account: unknown = JSON.parse(key)
    if (typeof account !== 'object' || account === null) return false
    const fields = account as Record<string, unknown>
    return (
      SERVICE_ACCOUNT_FIELDS.every((field) => typeof fields[field] === 'string') &&
      isPrivateKey(fields.private_key as string)
    )
  } catch {
    return false
  }
}

/** Only PKCS#8 keys can sign requests, but Node also parses older formats. Throws when the key cannot be parsed. */
function isPrivateKey(text: string): boolean {
  return text.startsWith('-----BEGIN PRIVATE KEY-----') && createPrivateKey(text).asymmetricKeyType === 'rsa'
}

interface SealedChannel {
  id: number
  type: number
  sealed_key: string
}

/** Opens the keys of a channel. */
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

/** Records the channel's keys, so that each can be found and disabled. */
export function recordKeys(db: Db, vault: Vault, id: number, keys: readonly string[]): Promise<void> {
  return channelKeys.replace(
    db,
    id,
    keys.map((key) => channelKeyHash(vault, key)),
  )
}

/** Never part of a key: headers cannot contain it. */
const MASK = '••••'
const SHOWN_CHARACTERS = 4
/** Shorter keys are masked completely. */
const SHORTEST_SHOWN = 16
/** Shorter keys are placeholders and would match ordinary text. */
const SHORTEST_SECRET = 6

/** Shows enough of a key to distinguish it from others. */
export function maskKey(key: string): string {
  const characters = [...key.replace(/\s+/g, '')]
  if (characters.length < SHORTEST_SHOWN) return MASK
  return characters.slice(0, SHOWN_CHARACTERS).join('') + MASK + characters.slice(-SHOWN_CHARACTERS).join('')
}

export function isMasked(text: string): boolean {
  return text.includes(MASK)
}

/** Masks keys in text that is shown or stored, such as provider responses. */
export function hideKeys(text: string, keys: readonly string[]): string {
  // Longest first: one key may be a prefix of another.
  const hidden = keys.filter((key) => key.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length)
  return hidden.reduce((shown, key) => shown.replaceAll(key, maskKey(key)), text)
}
