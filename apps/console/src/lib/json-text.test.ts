import { describe, expect, it } from 'vitest'
import { checkJson, formatJson, isJsonObject } from './json-text.ts'

describe('checkJson', () => {
  it('accepts blank text', () => {
    expect(checkJson(' \n ')).toEqual({ state: 'blank' })
  })

  it('counts the entries of an object', () => {
    expect(checkJson('{"a": 1, "b": {}}')).toEqual({ state: 'object', entries: 2 })
    expect(isJsonObject('{}')).toBe(true)
  })

  it.each(['[1]', '"text"', '7', 'null', 'true'])('rejects %s, which is not an object', (text) => {
    expect(checkJson(text)).toEqual({ state: 'not-object' })
    expect(isJsonObject(text)).toBe(false)
  })

  it('returns the line and column of a syntax error', () => {
    expect(checkJson('{\n  "a": 1,\n  b: 2\n}')).toEqual({ state: 'broken', line: 3, column: 3 })
  })

  it('returns the end of incomplete text', () => {
    expect(checkJson('{\n "a": 1')).toEqual({ state: 'broken', line: 2, column: 8 })
    expect(checkJson('{')).toMatchObject({ state: 'broken', line: 1 })
  })
})

describe('formatJson', () => {
  it('indents by two spaces', () => {
    expect(formatJson('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
  })

  it('does not change invalid JSON', () => {
    expect(formatJson('{"a":')).toBe('{"a":')
  })
})
