import { randomInt } from 'node:crypto'
import type { Settings } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Accept the previous and next code, because clocks differ. */
const WINDOW = 1

/** Defaults of authenticator apps: SHA-1, six digits, thirty seconds. */
function totpGenerator(secret: Secret, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })
}

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The URI for the QR code. */
export function totpUri(secret: string, { SystemName }: Pick<Settings, 'SystemName'>, username: string): string {
  // A colon separates issuer and label in the URI.
  const issuer = SystemName.replaceAll(':', ' ')
  return totpGenerator(Secret.fromBase32(secret), { issuer, label: username }).toString()
}

/** The time step of a code; undefined when it is not valid now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined
  const timestamp = now.getTime()
  const generator = totpGenerator(Secret.fromBase32(secret))
  const delta = generator.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : generator.counter({ timestamp }) + delta
}

/** Whether the text looks like an app code rather than a recovery code. ASCII digits only. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** Without i, l, o, 0 and 1, which look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const COUNT = 10
const LENGTH = 10

/** Recovery codes in groups that are easy to read aloud. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < COUNT) codes.add(newCode())
  return [...codes]
}

function newCode(): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return [characters.slice(0, 4), characters.slice(4, 8), characters.slice(8)].join('-')
}

/** Possible stored hashes of a code, whatever its spelling; the first is the one to store. They differ per user. */
export function recoveryCodeHashes(vault: Vault, userId: number, code: string): string[] {
  const characters = code.toLowerCase().replace(/[\s-]/g, '')
  return vault.keyedHashes('recovery-code', `${userId}:${characters}`)
}
