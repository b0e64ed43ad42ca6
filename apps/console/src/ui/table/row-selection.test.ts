import { expect, it, vi } from 'vitest'
import { selectionState, toggleRows, type RowSelection } from './row-selection.ts'

type Row = number[]

const selection = (ids: number[], onChange = vi.fn()): RowSelection<Row> & { onChange: typeof onChange } => ({
  ids: new Set(ids),
  idsOf: (row) => row,
  labelOf: String,
  onChange,
})

it('returns whether none, some or all IDs of a row are selected', () => {
  expect(selectionState([1, 2], selection([3]))).toBe('none')
  expect(selectionState([1, 2], selection([2, 3]))).toBe('some')
  expect(selectionState([1, 2], selection([1, 2, 3]))).toBe('all')
  expect(selectionState([], selection([1]))).toBe('none')
})

it('selects all IDs of a row and keeps the selection of other pages', () => {
  const boxes = selection([9, 1])

  toggleRows([[1, 2], [3]], true, boxes)
  toggleRows([[1, 2]], false, boxes)

  expect(boxes.onChange.mock.calls).toEqual([[new Set([9, 1, 2, 3])], [new Set([9])]])
})
