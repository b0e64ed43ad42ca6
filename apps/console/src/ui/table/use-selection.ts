import { useState } from 'react'
import type { RowSelection } from './row-selection.ts'

interface Options<Row, Id> {
  idOf(row: Row): Id
  /** Accessible name of the checkbox of a row. */
  labelOf(row: Row): string
}

/** Rows that people select for a batch action. The selection survives paging. */
export interface Selection<Row, Id = number> {
  rows: readonly Row[]
  count: number
  clear(): void
  /** Selects all rows of this page as well. */
  selectPage(): void
  /** Deselects a row that was deleted. */
  drop(id: Id): void
  tableProps: RowSelection<Row, Id>
}

export function useSelection<Row, Id extends number | string = number>(
  page: readonly Row[] | undefined,
  { idOf, labelOf }: Options<Row, Id>,
): Selection<Row, Id> {
  const [selected, setSelected] = useState<ReadonlyMap<Id, Row>>(new Map())
  // Rows of this page are newer than the rows that were stored when they were selected.
  const known = new Map([...selected, ...(page ?? []).map((row) => [idOf(row), row] as const)])
  const select = (ids: Iterable<Id>) =>
    setSelected(new Map([...ids].flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : []))))
  const ids: ReadonlySet<Id> = new Set(selected.keys())
  return {
    rows: [...ids].map((id) => known.get(id)!),
    count: ids.size,
    clear: () => setSelected(new Map()),
    selectPage: () => select([...ids, ...(page ?? []).map(idOf)]),
    drop: (id) => select([...ids].filter((other) => other !== id)),
    tableProps: { ids, idsOf: (row) => [idOf(row)], labelOf, onChange: select },
  }
}
