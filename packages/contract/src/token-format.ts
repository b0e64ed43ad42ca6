/**
 * Tokens have a prefix and a checksum, so that secret scanners find them without false positives and mistyped tokens
 * are detected without a database query.
 */
export interface TokenFormat {
  readonly prefix: string
  /** Length with prefix and checksum. */
  readonly length: number
}

/** API tokens are shown with the prefix `sk-`. They contain no dash: text after a dash pins a channel. */
export const API_TOKEN: TokenFormat = { prefix: 'tg_', length: 48 }
/** Older automation tokens have the same prefix, 44 characters and no checksum. */
export const AUTOMATION_TOKEN: TokenFormat = { prefix: 'tgc_', length: 50 }
export const ACCESS_TOKEN: TokenFormat = { prefix: 'tga_', length: 32 }

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6
const CRC32_POLYNOMIAL = 0xedb88320

/** Creates a token. `randomText` returns random characters of BASE62. */
export function newToken({ prefix, length }: TokenFormat, randomText: (length: number) => string): string {
  const text = prefix + randomText(length - prefix.length - CHECKSUM_LENGTH)
  return text + checksumOf(text)
}

/**
 * Whether a token has the format but a wrong checksum. Older and imported tokens have other formats without a checksum.
 */
export function hasWrongChecksum({ prefix, length }: TokenFormat, token: string): boolean {
  if (!token.startsWith(prefix) || token.length !== length) return false
  return checksumOf(token.slice(0, -CHECKSUM_LENGTH)) !== token.slice(-CHECKSUM_LENGTH)
}

/** The part of an API token that lists and errors may show, after the common prefix. */
export function tokenHint(token: string, gap = '…'): string {
  const start = token.startsWith(API_TOKEN.prefix) ? API_TOKEN.prefix.length : 0
  return `${token.slice(0, start + 3)}${gap}${token.slice(-3)}`
}

/** CRC-32 (IEEE 802.3) of the text, in base 62, six characters. */
function checksumOf(text: string): string {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) & 0xff // tokens are ASCII
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC32_POLYNOMIAL : 0)
  }
  let rest = ~crc >>> 0
  let digits = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
