import { describe, expect, it } from 'vitest'
import { patchMembers } from './patch-members.ts'

describe('patchMembers', () => {
  it('replaces a member in place and keeps every other byte', () => {
    const text =
      '{ "model": "a", "seed": 12345678901234567890, "temperature": 1.0, "stop": null, "x": {"y": [0, 1e2]} }'

    expect(patchMembers(text, { model: 'b' })).toBe(
      '{ "model": "b", "seed": 12345678901234567890, "temperature": 1.0, "stop": null, "x": {"y": [0, 1e2]} }',
    )
  })

  it('adds missing members and removes undefined ones', () => {
    expect(patchMembers('{"a":1,"b":2}', { b: undefined, c: { d: true } })).toBe('{"a":1,"c":{"d":true}}')
    expect(patchMembers('{}', { a: 1 })).toBe('{"a":1}')
    expect(patchMembers(' {"a":1} ', { a: undefined })).toBe(' {} ')
    expect(patchMembers('{ "a" : 1 ,\n"b" : 2 }', { a: undefined, c: 3 })).toBe('{ \n"b" : 2,"c":3 }')
  })

  it('keeps only the last of repeated names', () => {
    expect(patchMembers('{"model":"dear","n":1,"model":"cheap"}', {})).toBe('{"n":1,"model":"cheap"}')
    expect(patchMembers('{"mod\\u0065l":"dear","model":"cheap"}', {})).toBe('{"model":"cheap"}')
  })

  it('handles quotes, escapes and brackets inside strings', () => {
    const text = String.raw`{"a":"}\",\"model\":\"x\\","model":"y","b":["]\\\"",{"c":"}"}]}`

    const patched = JSON.parse(patchMembers(text, { model: 'z' })) as unknown

    expect(patched).toEqual({ ...(JSON.parse(text) as object), model: 'z' })
  })
})
