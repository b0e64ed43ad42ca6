import { array, assert, constantFrom, json, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInSlices } from './parse-in-slices.ts'

function parse(text: string): { value: unknown; slices: number } {
  const slices = parseInSlices(text)
  for (let count = 1; ; count += 1) {
    const step = slices.next()
    if (step.done) return { value: step.value, slices: count }
  }
}

function outcome(work: () => unknown): unknown {
  try {
    return { value: work() }
  } catch (error) {
    return (error as Error).name
  }
}

describe('parseInSlices', () => {
  it('parses every JSON text like JSON.parse', () => {
    const indent = constantFrom(undefined, 1, '\t', '\n \r\t')
    assert(
      property(json({ stringUnit: 'binary', maxDepth: 3 }), indent, (written, space) => {
        const text = JSON.stringify(JSON.parse(written), undefined, space)
        expect(parse(text).value).toEqual(JSON.parse(text))
        expect(JSON.stringify(parse(text).value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 50 },
    )
  })

  it('rejects what JSON.parse rejects', () => {
    const piece = constantFrom(
      ...'{}[],:"\\ 0123.eE+-',
      'true',
      'nul',
      '"a"',
      '\\u00',
      '\\u0041',
      '\n',
      '\u0001',
      '{"a":',
    )
    assert(
      property(array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(outcome(() => parse(text).value)).toEqual(outcome(() => JSON.parse(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['members', `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`],
    ['plain text', `{"a":"${'潮'.repeat(500_000)}"}`],
    ['escapes', `{"a":"${'\\"\\\\\\ud83c\\udf0a\\n'.repeat(40_000)}"}`],
    ['escaped quotes', `{"a":"x${'\\"'.repeat(300_000)}"}`],
    ['backslashes', `{"a":"x${'\\\\'.repeat(300_000)}"}`],
  ])('takes many slices for many %s', (_, text) => {
    const { value, slices } = parse(text)

    expect(slices).toBeGreaterThan(3)
    expect(value).toEqual(JSON.parse(text))
  })

  it.each([
    ['a control character', `"${'a'.repeat(300_000)}\n"`],
    ['an unknown escape', `"${'a'.repeat(300_000)}\\x"`],
    ['no end', `"${'a'.repeat(300_000)}`],
    ['an escaped end', `"${'a'.repeat(300_000)}\\"`],
  ])('rejects a long string with %s', (_, text) => {
    expect(() => parse(text)).toThrow(SyntaxError)
  })

  it('reports repeated names in any spelling', () => {
    const repeated: string[] = []
    const slices = parseInSlices('{"a":1,"b":{"a":2,"\\u0061":3},"c":[{"b":1},{"b":2}]}', (name) => repeated.push(name))
    while (!slices.next().done);

    expect(repeated).toEqual(['a'])
  })

  it('keeps the last of repeated names and sets no prototype', () => {
    const { value } = parse('{"a":1,"__proto__":{"b":2},"a":3}')

    expect(value).toEqual(JSON.parse('{"a":1,"__proto__":{"b":2},"a":3}'))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
