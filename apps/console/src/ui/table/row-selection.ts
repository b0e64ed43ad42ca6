/** Row checkboxes. A row represents one ID, or the IDs of all its child rows. */
export interface RowSelection<Row, Id = number> {
  ids: ReadonlySet<Id>
  idsOf(row: Row): readonly Id[]
  /** Accessible name of the checkbox of a row. */
  labelOf(row: Row): string
  onChange(ids: ReadonlySet<Id>): void
}

export function selectionState<Row, Id>(row: Row, { ids, idsOf }: RowSelection<Row, Id>): 'none' | 'some' | 'all' {
  const own = idsOf(row)
  const selected = own.filter((id) => ids.has(id)).length
  if (selected === 0) return 'none'
  return selected === own.length ? 'all' : 'some'
}

/** Selects or deselects rows. Keeps the selection of other pages. */
export function toggleRows<Row, Id>(
  rows: readonly Row[],
  isSelected: boolean,
  { ids, idsOf, onChange }: RowSelection<Row, Id>,
) {
  const next = new Set(ids)
  for (const id of rows.flatMap(idsOf)) {
    if (isSelected) next.add(id)
    else next.delete(id)
  }
  onChange(next)
}
