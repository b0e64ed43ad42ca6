import type { TableProps } from '../kit/index.ts'

/** A column with cells, as opposed to a column group. */
export type Column<Row> = Exclude<NonNullable<TableProps<Row>['columns']>[number], { children: unknown }>

/** Number columns stay visible in narrow tables, because a number with missing digits is misread. */
export const NUMBER = { align: 'right', fixed: 'right' } as const

/** Renders cells only when their row changes. The cells must not depend on anything else. */
export const onlyWhenChanged = <Row>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ shouldCellUpdate: (row, before) => row !== before, ...column }))
