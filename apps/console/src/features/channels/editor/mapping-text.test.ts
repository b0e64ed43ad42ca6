import { describe, expect, it } from 'vitest'
import { mappingRows, mappingText } from './mapping-text.ts'

describe('mappingRows', () => {
  it('reads the names in order', () => {
    expect(mappingRows('{"b": "x", "a": "y"}')).toEqual([
      { from: 'b', to: 'x' },
      { from: 'a', to: 'y' },
    ])
    expect(mappingRows(' ')).toEqual([])
  })

  it.each(['{', '[]', '{"a": 1}'])('does not read %s', (text) => {
    expect(mappingRows(text)).toBeNull()
  })
})

describe('mappingText', () => {
  it('writes names without spaces around them, and no blank rows', () => {
    const rows = [
      { from: ' a ', to: 'x' },
      { from: '', to: ' ' },
    ]

    expect(JSON.parse(mappingText(rows))).toEqual({ a: 'x' })
    expect(mappingText([{ from: '', to: '' }])).toBe('')
  })

  it('keeps an incomplete row, which the form rejects', () => {
    expect(JSON.parse(mappingText([{ from: 'a', to: '' }]))).toEqual({ a: '' })
  })
})
