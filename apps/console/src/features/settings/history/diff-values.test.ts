import { describe, expect, it } from 'vitest'
import { diffLines, diffValues } from './diff-values.ts'

describe('diffValues', () => {
  it('shows short values inline', () => {
    expect(diffValues('integer', '5', '10')).toEqual({ shape: 'inline', before: '5', after: '10' })
    expect(diffValues('text', 'Harbour', 'Reef')).toMatchObject({ shape: 'inline' })
    expect(diffValues('text', 'Harbour', 'two\nlines')).toMatchObject({ shape: 'lines' })
    expect(diffValues('text', 'Harbour', 'x'.repeat(61))).toMatchObject({ shape: 'lines' })
  })

  it('lists the changed entries of nested maps', () => {
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

  it('lists an added rate card by its rates and tiers, not as JSON', () => {
    const card = { rates: { input: 2 }, tiers: [{ when: { serviceTier: 'priority' }, multiply: 2 }] }

    expect(diffValues('json', '{}', JSON.stringify({ carded: card }))).toEqual({
      shape: 'entries',
      entries: [
        { name: 'carded › rates › input', before: null, after: '2' },
        { name: 'carded › tiers › 1 › when › serviceTier', before: null, after: 'priority' },
        { name: 'carded › tiers › 1 › multiply', before: null, after: '2' },
      ],
    })
  })

  it('ignores inherited properties of objects', () => {
    expect(diffValues('json', '{}', '{"constructor":1}')).toEqual({
      shape: 'entries',
      entries: [{ name: 'constructor', before: null, after: '1' }],
    })
  })

  it('compares lists and other JSON by line', () => {
    expect(diffValues('list', 'a.example,b.example', 'a.example')).toEqual({
      shape: 'lines',
      lines: [
        { kind: 'same', text: 'a.example' },
        { kind: 'removed', text: 'b.example' },
      ],
    })
    expect(diffValues('json', '[]', '[{"Chat":"https://chat.example"}]')).toMatchObject({ shape: 'lines' })
  })
})

/** `-removed`, `+added`, ` same`, `…n` for skipped lines. */
const linesOf = (before: string, after: string) =>
  diffLines(before, after).map((line) =>
    line.kind === 'skipped' ? `…${line.count}` : `${{ same: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`,
  )

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe('diffLines', () => {
  it.each([
    ['', '', []],
    ['', 'a\nb', ['+a', '+b']],
    ['a\nb', '', ['-a', '-b']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a\nb\nc\nd', 'b\nc\na\nd', ['-a', ' b', ' c', '+a', ' d']],
    ['a\na', 'a\na\na', [' a', ' a', '+a']],
    ['a\na\na', 'a', [' a', '-a', '-a']],
  ])('from %j to %j', (before, after, expected) => {
    expect(linesOf(before, after)).toEqual(expected)
  })

  it('shows two lines around a change and skips the rest', () => {
    const before = numbers(1, 20)
    const after = before.with(9, 'ten')

    expect(linesOf(before.join('\n'), after.join('\n'))).toEqual(['…7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', '…8'])
  })

  it('shows the middle of very long texts as replaced', () => {
    const before = ['same', ...numbers(1, 3000), 'end'].join('\n')
    const after = ['same', ...numbers(5001, 8000), 'end'].join('\n')

    const lines = diffLines(before, after)

    expect(lines.filter(({ kind }) => kind === 'removed')).toHaveLength(3000)
    expect(lines.filter(({ kind }) => kind === 'added')).toHaveLength(3000)
  })
})
