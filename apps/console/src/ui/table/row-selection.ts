/** Boxes in front of rows. A row stands for itself, or for all that it holds. */
export interface RowSelection<Row, Id = number> {
  ids: ReadonlySet<Id>
  idsOf(row: Row): readonly Id[]
  /** What a tick takes, for people who cannot see the row. */
  labelOf(row: Row): string
  onChange(ids: ReadonlySet<Id>): void
}

export function selectionState<Row, Id>(row: Row, { ids, idsOf }: RowSelection<Row, Id>): 'none' | 'some' | 'all' {
  const own = idsOf(row)
  const selected = own.filter((id) => ids.has(id)).length
  if (selected === 0) return 'none'
  return selected === own.length ? 'all' : 'some'
}

/** Takes rows in or out; what other pages hold stays as it is. */
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
