import { describe, expect, it } from 'vitest'
import { checkJson, formatJson, isJsonObject } from './json-text.ts'

describe('a text that should be a JSON object', () => {
  it('may be blank', () => {
    expect(checkJson(' \n ')).toEqual({ state: 'blank' })
  })

  it('is counted when it is one', () => {
    expect(checkJson('{"a": 1, "b": {}}')).toEqual({ state: 'object', entries: 2 })
    expect(isJsonObject('{}')).toBe(true)
  })

  it.each(['[1]', '"text"', '7', 'null', 'true'])('is not one as %s', (text) => {
    expect(checkJson(text)).toEqual({ state: 'not-object' })
    expect(isJsonObject(text)).toBe(false)
  })

  it('says the line and the column where it breaks', () => {
    expect(checkJson('{\n  "a": 1,\n  b: 2\n}')).toEqual({ state: 'broken', line: 3, column: 3 })
  })

  it('breaks at its end when something is missing there', () => {
    expect(checkJson('{\n "a": 1')).toEqual({ state: 'broken', line: 2, column: 8 })
    expect(checkJson('{')).toMatchObject({ state: 'broken', line: 1 })
  })
})

describe('formatting', () => {
  it('indents by two spaces', () => {
    expect(formatJson('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
  })

  it('leaves alone what cannot be read', () => {
    expect(formatJson('{"a":')).toBe('{"a":')
  })
})
