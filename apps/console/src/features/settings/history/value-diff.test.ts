import { describe, expect, it } from 'vitest'
import { diffValues } from './value-diff.ts'

describe('what became of a value', () => {
  it('is said in one line while it is short', () => {
    expect(diffValues('integer', '5', '10')).toEqual({ shape: 'inline', before: '5', after: '10' })
    expect(diffValues('text', 'Harbour', 'Reef')).toMatchObject({ shape: 'inline' })
    expect(diffValues('text', 'Harbour', 'two\nlines')).toMatchObject({ shape: 'lines' })
    expect(diffValues('text', 'Harbour', 'x'.repeat(61))).toMatchObject({ shape: 'lines' })
  })

  it('is told by the entries of a map that are different, however deep', () => {
    const before = '{"default":1,"vip":2,"old":3,"deep":{"a":1,"b":[1]}}'
    const after = '{"vip":3,"default":1,"new":"x","deep":{"b":[1,2],"a":1}}'

    expect(diffValues('json', before, after)).toEqual({
      shape: 'entries',
      entries: [
        { name: 'vip', before: '2', after: '3' },
        { name: 'old', before: '3', after: null },
        { name: 'deep › b', before: '[1]', after: '[1,2]' },
        { name: 'new', before: null, after: 'x' },
      ],
    })
  })

  it('does not take what every object has for an entry', () => {
    expect(diffValues('json', '{}', '{"constructor":1}')).toEqual({
      shape: 'entries',
      entries: [{ name: 'constructor', before: null, after: '1' }],
    })
  })

  it('is told line by line for lists and for JSON that is no map', () => {
    expect(diffValues('list', 'a.example,b.example', 'a.example')).toEqual({
      shape: 'lines',
      lines: [
        { kind: 'same', text: 'a.example' },
        { kind: 'gone', text: 'b.example' },
      ],
    })
    expect(diffValues('json', '[]', '[{"Chat":"https://chat.example"}]')).toMatchObject({ shape: 'lines' })
  })
})
