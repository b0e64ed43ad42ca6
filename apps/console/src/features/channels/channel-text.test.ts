import { expect, it, describe } from 'vitest'
import { splitNames, withoutPrototypeKeys } from './channel-text.ts'

it('reads a list with commas of either script, line ends, blanks and repetitions', () => {
  expect(splitNames(' gpt-4o, gpt-4o-mini，o3\n gpt-4o,,')).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3'])
})

describe('redirection keys', () => {
  it('that reach into prototypes are dropped', () => {
    const text = '{"__proto__": "x", "constructor": "y", "prototype": "z", "gpt-4o": "gpt-4o-mini"}'

    expect(JSON.parse(withoutPrototypeKeys(text))).toEqual({ 'gpt-4o': 'gpt-4o-mini' })
    expect(withoutPrototypeKeys(text)).not.toContain('__proto__')
  })

  it('leave the text as it was typed when they are fine', () => {
    expect(withoutPrototypeKeys(' {"a":"b"} ')).toBe('{"a":"b"}')
    expect(withoutPrototypeKeys('')).toBe('')
  })
})
