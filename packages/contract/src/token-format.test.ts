import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ACCESS_TOKEN, API_TOKEN, AUTOMATION_TOKEN, BASE62, hasWrongChecksum, newToken } from './token-format.ts'

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
