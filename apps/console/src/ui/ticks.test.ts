import { expect, it, vi } from 'vitest'
import { countTicked, toggleTicks, type Ticks } from './ticks.ts'

type Row = number[]

const ticks = (ids: number[], onChange = vi.fn()): Ticks<Row> & { onChange: typeof onChange } => ({
  ids: new Set(ids),
  idsOf: (row) => row,
  labelOf: String,
  onChange,
})

it('tells whether none, some or all that a row holds is ticked', () => {
  expect(countTicked([1, 2], ticks([3]))).toBe('none')
  expect(countTicked([1, 2], ticks([2, 3]))).toBe('some')
  expect(countTicked([1, 2], ticks([1, 2, 3]))).toBe('all')
  expect(countTicked([], ticks([1]))).toBe('none')
})

it('ticks everything that a row holds and leaves other pages alone', () => {
  const boxes = ticks([9, 1])

  toggleTicks([[1, 2], [3]], true, boxes)
  toggleTicks([[1, 2]], false, boxes)

  expect(boxes.onChange.mock.calls).toEqual([[new Set([9, 1, 2, 3])], [new Set([9])]])
})
