import { randomInt } from 'node:crypto'
import type { Vault } from '@tidegate/storage'

/** Without i, l, o, 0 and 1, which people mistake for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const COUNT = 10
const LENGTH = 10

/** Codes for the day the phone is gone, in groups that can be read aloud. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < COUNT) codes.add(newCode())
  return [...codes]
}

function newCode(): string {
  const signs = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return [signs.slice(0, 4), signs.slice(4, 8), signs.slice(8)].join('-')
}

/** What the stored hash of a code can be, however it was typed; the first is the one to store. Equal codes of two users differ. */
export function recoveryCodeHashes(vault: Vault, userId: number, code: string): string[] {
  const signs = code.toLowerCase().replace(/[\s-]/g, '')
  return vault.keyedHashes('recovery-code', `${userId}:${signs}`)
}
