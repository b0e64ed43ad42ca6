/** Boxes in front of rows. A row stands for itself, or for all that it holds. */
export interface Ticks<Row, Id = number> {
  ids: ReadonlySet<Id>
  idsOf(row: Row): readonly Id[]
  /** What a tick takes, for people who cannot see the row. */
  labelOf(row: Row): string
  onChange(ids: ReadonlySet<Id>): void
}

export function countTicked<Row, Id>(row: Row, { ids, idsOf }: Ticks<Row, Id>): 'none' | 'some' | 'all' {
  const own = idsOf(row)
  const ticked = own.filter((id) => ids.has(id)).length
  if (ticked === 0) return 'none'
  return ticked === own.length ? 'all' : 'some'
}

/** Takes rows in or out; what other pages hold stays as it is. */
export function toggleTicks<Row, Id>(
  rows: readonly Row[],
  isTicked: boolean,
  { ids, idsOf, onChange }: Ticks<Row, Id>,
) {
  const next = new Set(ids)
  for (const id of rows.flatMap(idsOf)) {
    if (isTicked) next.add(id)
    else next.delete(id)
  }
  onChange(next)
}
