import type { ScreenWidth } from '../../lib/use-media.ts'
import type { TableProps } from '../kit/index.ts'
import styles from './data-table.module.css'

/** A column with cells, as opposed to a column group. */
export type Column<Row> = Exclude<NonNullable<TableProps<Row>['columns']>[number], { children: unknown }> & {
  /** Hidden on narrower screens. A tablet has space for five or six columns. */
  from?: ScreenWidth
}

/** A column of text that takes the width which the other columns leave. Its text is cut at the end of the cell. */
export const FILL = { className: styles.fill! } as const

/** Number columns stay visible in narrow tables, because a number with missing digits is misread. */
export const NUMBER = { align: 'right', fixed: 'right' } as const

/** Renders cells only when their row changes. The cells must not depend on anything else. */
export const onlyWhenChanged = <Row>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ shouldCellUpdate: (row, before) => row !== before, ...column }))
