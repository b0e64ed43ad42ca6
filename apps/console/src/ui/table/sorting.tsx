import { useMemo } from 'react'
import { useUrlState } from '../../lib/url-state.ts'
import type { Column } from './columns.ts'
import styles from './sorting.module.css'

export type SortDirection = 'asc' | 'desc'

export interface SortOrder<By extends string> {
  by: By
  direction: SortDirection
}

export interface Sorting<By extends string> {
  /** Null for the default order of the list. */
  order: SortOrder<By> | null
  /** The default order, if it is the order of a column. */
  initial?: SortOrder<By> | undefined
  /** Sorts by a column, then in reverse, then in the default order. */
  toggle(by: By): void
}

/**
 * The order of a list, in the URL parameters `sort` and `direction`. Texts are sorted from A to Z first. Pass
 * constants: the result is the same object until the order changes.
 */
export function useSorting<By extends string>(
  columns: readonly By[],
  texts: readonly By[],
  initial?: SortOrder<By>,
): Sorting<By> {
  const { search, change } = useUrlState()
  const by = columns.find((known) => known === search.get('sort'))
  const direction = (['asc', 'desc'] as const).find((known) => known === search.get('direction'))
  return useMemo(() => {
    const firstDirection = (column: By): SortDirection => (texts.includes(column) ? 'asc' : 'desc')
    const order = by === undefined ? null : { by, direction: direction ?? firstDirection(by) }
    return {
      order,
      initial,
      toggle(column) {
        const current = order ?? initial
        const isFirst = current?.by !== column
        const isSecond = !isFirst && current.direction === firstDirection(column)
        const reverse = firstDirection(column) === 'asc' ? 'desc' : 'asc'
        change({ sort: isFirst || isSecond ? column : null, direction: isSecond ? reverse : null, page: null })
      },
    }
  }, [by, direction, texts, initial, change])
}

/** The title of a column whose rows can be sorted. */
export function sortableTitle<Row, By extends string>(
  title: string,
  by: By,
  { order, initial, toggle }: Sorting<By>,
): Pick<Column<Row>, 'title' | 'onHeaderCell'> {
  const current = order ?? initial
  const direction = current?.by === by ? current.direction : undefined
  return {
    title: (
      <button type="button" className={styles.sort} data-direction={direction} onClick={() => toggle(by)}>
        {title}
      </button>
    ),
    onHeaderCell: () => ({
      'aria-sort': direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none',
    }),
  }
}
