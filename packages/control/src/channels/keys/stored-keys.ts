import { createPrivateKey } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { splitKeys } from '@tidegate/storage'
import { checkHeaderText } from '../check-texts.ts'
import { isMasked, maskKey } from './mask-key.ts'

/** The keys in what somebody entered, each once, in the form their type needs. */
export function readKeys(type: number, text: string): string[] {
  return mergeKeys(type, text, [])
}

/** The same where keys are stored already: a masked line stands for the key it was made from. */
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

/** How keys stand in the sealed text. */
export function joinKeys(keys: readonly string[]): string {
  return keys.join('\n')
}

const NEEDED = ['project_id', 'client_email', 'private_key']

function isServiceAccount(key: string): boolean {
  try {
    const account: unknown = JSON.parse(key)
    if (typeof account !== 'object' || account === null) return false
    const fields = account as Record<string, unknown>
    return NEEDED.every((field) => typeof fields[field] === 'string') && isPrivateKey(fields.private_key as string)
  } catch {
    return false
  }
}

/** Requests are signed with PKCS#8 keys only; Node also reads older forms. Throws when the key cannot be read. */
function isPrivateKey(text: string): boolean {
  return text.startsWith('-----BEGIN PRIVATE KEY-----') && createPrivateKey(text).asymmetricKeyType === 'rsa'
}
