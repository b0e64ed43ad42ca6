import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  ACCESS_TOKEN,
  API_TOKEN,
  AUTOMATION_TOKEN,
  BASE62,
  CELL_PATTERN,
  cellOfToken,
  DEFAULT_CELL,
  hasWrongChecksum,
  lowestId,
  newApiToken,
  newToken,
  tokenHint,
} from './token-format.ts'

const fixedText = (length: number) => 'Tide0Gate9'.repeat(5).slice(0, length)

describe.each([
  ['API token', API_TOKEN, /^tg_[0-9A-Za-z]{45}$/],
  ['automation token', AUTOMATION_TOKEN, /^tgc_[0-9A-Za-z]{46}$/],
  ['access token', ACCESS_TOKEN, /^tga_[0-9A-Za-z]{28}$/],
])('the format of an %s', (_name, format, pattern) => {
  const token = newToken(format, fixedText)

  it('has a prefix, random text and the CRC-32 in base 62', () => {
    expect(token).toMatch(pattern)
    let sum = 0
    for (const digit of token.slice(-6)) sum = sum * 62 + BASE62.indexOf(digit)
    expect(sum).toBe(crc32(token.slice(0, -6)))
    expect(hasWrongChecksum(format, token)).toBe(false)
  })

  it('detects every changed character after the prefix', () => {
    for (let at = format.prefix.length; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
      expect(hasWrongChecksum(format, changed), changed).toBe(true)
    }
  })

  it('ignores tokens of other formats', () => {
    const others = ['', 'A'.repeat(48), token.slice(0, -1), `tgc_${'A'.repeat(40)}`, token.slice(1)]
    for (const other of others) expect(hasWrongChecksum(format, other), other).toBe(false)
  })
})

describe('the cell of an API token', () => {
  const token = newApiToken('b7', fixedText)
  const older = newToken(API_TOKEN, fixedText)

  it('is named after the prefix, in the length of tokens without one', () => {
    expect(token).toMatch(/^tg_b7_[0-9A-Za-z]{42}$/)
    expect(token).toHaveLength(older.length)
    expect(cellOfToken(token)).toBe('b7')
    expect(hasWrongChecksum(API_TOKEN, token)).toBe(false)
  })

  it('is covered by the checksum, also in capitals', () => {
    for (const forged of [token.replace('b7', 'a0'), token.replace('b7', 'B7'), token.replace('b7_', 'b7x')]) {
      expect(hasWrongChecksum(API_TOKEN, forged), forged).toBe(true)
      expect(cellOfToken(forged)).toBeUndefined()
    }
  })

  it('is missing in older and imported tokens, also with underscores', () => {
    for (const other of [older, 'tg_a0_', 'a0_text', `a0_${'x'.repeat(45)}`, `tg_il_${'x'.repeat(42)}`, '']) {
      expect(cellOfToken(other), other).toBeUndefined()
    }
    expect(hasWrongChecksum(API_TOKEN, older)).toBe(false)
    expect(hasWrongChecksum(API_TOKEN, `my_${'x'.repeat(45)}`)).toBe(false)
  })

  it('leaves three random characters at the start of the hint', () => {
    expect(tokenHint(token)).toBe(`tg_b7_${token.slice(6, 9)}…${token.slice(-3)}`)
    expect(tokenHint(older)).toBe(`tg_${older.slice(3, 6)}…${older.slice(-3)}`)
    expect(tokenHint('my_own_token')).toBe('my_…ken')
  })
})

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const ALL = [...DIGITS].flatMap((first) => [...DIGITS].map((second) => first + second))

describe('a cell id', () => {
  it('has two characters of base 32 that cannot be mistaken', () => {
    for (const cell of ALL) expect(cell).toMatch(CELL_PATTERN)
    for (const cell of ['', 'a', 'a00', 'A0', 'il', 'o0', 'u1', 'a-', 'a_', 'ä0', 'a0\n']) {
      expect(cell).not.toMatch(CELL_PATTERN)
    }
  })

  it('has its own range of IDs, of at most 15 digits; those of the default start at 1', () => {
    const starts = ALL.map(lowestId).toSorted((a, b) => a - b)

    expect(lowestId(DEFAULT_CELL)).toBe(0)
    expect(lowestId('a1')).toBe(2 ** 39)
    expect(new Set(starts).size).toBe(1024)
    expect(starts.at(-1)! + 2 ** 39).toBeLessThan(1e15)
    for (const [index, start] of starts.entries()) expect(start).toBe(index * 2 ** 39)
  })
})
