import { describe, expect, it } from 'vitest'
import { checkJsonLimits, JsonScanner, MAX_DEPTH, MAX_VALUES } from './scan-json.ts'

function scan(text: string, pieceBytes = 64 * 1024) {
  const scanner = new JsonScanner()
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const excess = scanner.push(bytes.subarray(at, at + pieceBytes))
    if (excess) return excess
  }
  return scanner.members
}

describe('JsonScanner', () => {
  it.each([
    ['arrays', '['],
    ['objects', '{"a":'],
  ])('rejects %s that are nested too deeply', (_, opening) => {
    expect(scan(opening.repeat(MAX_DEPTH))).not.toBe('too_deep')
    expect(scan(opening.repeat(MAX_DEPTH + 1))).toBe('too_deep')
  })

  it.each([
    ['numbers', '1,'],
    ['empty objects', '{},'],
    ['members', '"a":1,'],
    ['nested arrays', '[[[]]],'],
  ])('rejects too many %s', (_, value) => {
    expect(scan(`[${value.repeat(70_000)}`)).not.toBe('too_many_values')
    expect(scan(`[${value.repeat(MAX_VALUES + 1)}`)).toBe('too_many_values')
  })

  it.each([
    ['space', ' '],
    ['digits', '1'],
  ])('rejects endless %s', (_, filler) => {
    expect(scan(`[${filler.repeat(60_000)}]`)).toBe(0)
    expect(scan(`[${filler.repeat(100_000)}]`)).toBe('gap_too_long')
    expect(scan(`[${filler.repeat(100_000)}`)).toBe('gap_too_long')
  })

  it('counts nothing inside strings, wherever the chunks are split', () => {
    const strings = ['[{,:', '\\"[[[', '\\\\', '潮[', 'long '.repeat(20), 'x'.repeat(50) + '\\"{"'.slice(0, 3)]
    const text = `{${strings.map((content) => `"a":"${content}"`).join(',')}}`

    for (const pieceBytes of [1, 2, 3, 7, 24, 25, 1_000]) expect(scan(text, pieceBytes)).toBe(strings.length)
  })

  it('counts a string of any length as one value', () => {
    expect(scan(`{"url":"${'[{'.repeat(5_000_000)}"}`)).toBe(1)
  })

  it('does not scan short texts', () => {
    expect(checkJsonLimits(new TextEncoder().encode('['.repeat(60_000)))).toBeUndefined()
    expect(checkJsonLimits(new TextEncoder().encode('['.repeat(70_000)))).toBe('too_deep')
  })
})
