import { expect, it, describe } from 'vitest'
import { splitNames, withoutPrototypeKeys } from './channel-text.ts'

it('splits names at ASCII and Chinese commas and line breaks, without blanks and duplicates', () => {
  expect(splitNames(' gpt-4o, gpt-4o-mini，o3\n gpt-4o,,')).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3'])
})

describe('withoutPrototypeKeys', () => {
  it('removes keys that change a prototype', () => {
    const text = '{"__proto__": "x", "constructor": "y", "prototype": "z", "gpt-4o": "gpt-4o-mini"}'

    expect(JSON.parse(withoutPrototypeKeys(text))).toEqual({ 'gpt-4o': 'gpt-4o-mini' })
    expect(withoutPrototypeKeys(text)).not.toContain('__proto__')
  })

  it('keeps other text unchanged', () => {
    expect(withoutPrototypeKeys(' {"a":"b"} ')).toBe('{"a":"b"}')
    expect(withoutPrototypeKeys('')).toBe('')
  })
})
