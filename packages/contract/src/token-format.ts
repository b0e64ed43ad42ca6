/**
 * Tokens have a prefix and a checksum, so that secret scanners find them without false positives and mistyped tokens
 * are detected without a database query.
 */
export interface TokenFormat {
  readonly prefix: string
  /** Length with prefix and checksum. */
  readonly length: number
}

/**
 * API tokens are shown with the prefix `sk-`. They contain no dash: text after a dash pins a channel. New ones also have
 * the cell of their account, such as `tg_a0_`. The checksum covers it.
 */
export const API_TOKEN: TokenFormat = { prefix: 'tg_', length: 48 }
const PREFIX_WITH_CELL = /^tg_[0-9a-hjkmnp-tv-z]{2}_/
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

/** Creates an API token of an account in a cell. */
export function newApiToken(cell: string, randomText: (length: number) => string): string {
  return newToken({ ...API_TOKEN, prefix: `${API_TOKEN.prefix}${cell}_` }, randomText)
}

/** The cell that an API token names. Older and imported tokens name none. */
export function cellOfToken(token: string): string | undefined {
  if (token.length !== API_TOKEN.length || !PREFIX_WITH_CELL.test(token)) return undefined
  return hasWrongChecksum(API_TOKEN, token) ? undefined : token.slice(3, 5)
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
  const prefix = PREFIX_WITH_CELL.exec(token)?.[0] ?? (token.startsWith(API_TOKEN.prefix) ? API_TOKEN.prefix : '')
  const start = prefix.length
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

/**
 * A cell is a database with its gateways, for some of the accounts. Its id is two characters of Crockford's base 32,
 * which has no letters that look like digits. Today a site has one cell.
 */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const CELLS = DIGITS.length ** 2
/** IDs have at most 15 digits in URLs and cursors: 1,024 ranges of this size fit. */
const IDS_PER_CELL = 2 ** 39

/** The cell of a site that names none. Its IDs start at 1. */
export const DEFAULT_CELL = 'a0'
export const CELL_PATTERN = /^[0-9a-hjkmnp-tv-z]{2}$/

/** The number that all IDs of a cell are greater than. Cells have separate ranges, so that accounts can move. */
export function lowestId(cell: string): number {
  return ((numberOf(cell) - numberOf(DEFAULT_CELL) + CELLS) % CELLS) * IDS_PER_CELL
}

function numberOf(cell: string): number {
  return [...cell].reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0)
}
