import { randomInt } from 'node:crypto'
import type { Settings } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Clocks of phones differ: the code before and the one after count too. */
const WINDOW = 1

/** What authenticator apps agree on: SHA-1, six digits, thirty seconds. */
function totpGenerator(secret: Secret, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })
}

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What the app reads from the picture. */
export function totpUri(secret: string, { SystemName }: Pick<Settings, 'SystemName'>, username: string): string {
  // A colon parts issuer and label in what apps read.
  const issuer = SystemName.replaceAll(':', ' ')
  return totpGenerator(Secret.fromBase32(secret), { issuer, label: username }).toString()
}

/** The time step whose code this is; undefined when it is none of now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined
  const timestamp = now.getTime()
  const generator = totpGenerator(Secret.fromBase32(secret))
  const delta = generator.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : generator.counter({ timestamp }) + delta
}

/** Whether it looks like a code of an app rather than a recovery code. Other digits than ours are letters. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

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
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return [characters.slice(0, 4), characters.slice(4, 8), characters.slice(8)].join('-')
}

/** What the stored hash of a code can be, however it was typed; the first is the one to store. Equal codes of two users differ. */
export function recoveryCodeHashes(vault: Vault, userId: number, code: string): string[] {
  const characters = code.toLowerCase().replace(/[\s-]/g, '')
  return vault.keyedHashes('recovery-code', `${userId}:${characters}`)
}
