import type { TableProps } from '../kit/index.ts'

/** A column with cells: groups of columns have none. */
export type Column<Row> = Exclude<NonNullable<TableProps<Row>['columns']>[number], { children: unknown }>

/** Numbers stay in view however narrow the table: a figure whose last digits are cut off reads as another figure. */
export const NUMBER = { align: 'right', fixed: 'right' } as const

/** Renders cells only when their row changes: for lists whose cells depend on nothing else. */
export const onlyWhenChanged = <Row>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ shouldCellUpdate: (row, before) => row !== before, ...column }))
