import { describe, expect, it } from 'vitest'
import { diffLines } from './line-diff.ts'

/** `-old`, `+new`, ` same`, `…n` for what was left out. */
const written = (before: string, after: string) =>
  diffLines(before, after).map((line) =>
    line.kind === 'skipped' ? `…${line.count}` : `${{ same: ' ', gone: '-', new: '+' }[line.kind]}${line.text}`,
  )

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe('a line diff', () => {
  it.each([
    ['', '', []],
    ['', 'a\nb', ['+a', '+b']],
    ['a\nb', '', ['-a', '-b']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a\nb\nc\nd', 'b\nc\na\nd', ['-a', ' b', ' c', '+a', ' d']],
    ['a\na', 'a\na\na', [' a', ' a', '+a']],
    ['a\na\na', 'a', [' a', '-a', '-a']],
  ])('from %j to %j', (before, after, expected) => {
    expect(written(before, after)).toEqual(expected)
  })

  it('keeps two lines around a change and leaves out the rest', () => {
    const before = numbers(1, 20)
    const after = before.with(9, 'ten')

    expect(written(before.join('\n'), after.join('\n'))).toEqual(['…7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', '…8'])
  })

  it('gives up on the middle of very long texts rather than on the reader', () => {
    const before = ['same', ...numbers(1, 3000), 'end'].join('\n')
    const after = ['same', ...numbers(5001, 8000), 'end'].join('\n')

    const lines = diffLines(before, after)

    expect(lines.filter(({ kind }) => kind === 'gone')).toHaveLength(3000)
    expect(lines.filter(({ kind }) => kind === 'new')).toHaveLength(3000)
  })
})
