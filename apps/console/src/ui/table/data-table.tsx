import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Key,
  type ReactNode,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useHasCards, useScreenWidth } from '../../lib/use-media.ts'
import type { Column } from './columns.ts'
import styles from './data-table.module.css'
import { Table, type TableProps } from '../kit/index.ts'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { isLate, LateItem, LateRow } from './deferred-rows.tsx'
import { rowKeys, rowStop } from './row-keys.ts'
import { SelectionBox, selectionColumn, SelectionContext } from './selection-column.tsx'
import type { RowSelection } from './row-selection.ts'

export interface DataTableProps<Row> {
  /** Accessible name. */
  label: string
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
  /** Renders a row as a card on narrow screens, with the two most important values at the top. */
  renderCard(row: Row): ReactNode
  expandRow?(row: Row): ReactNode
  /** For rows with child rows in `children`: the expanded keys, and the index of the column with the expand icon. */
  openRows?: { keys: readonly Key[]; onChange(keys: Key[]): void; column?: number }
  /** Gives all rows the same height. */
  dense?: boolean
  /** Columns keep their `width` whatever their cells contain; the others share the rest, which is at least this wide. */
  restWidth?: number
  /** Renders disabled rows in a paler colour. */
  isFaded?(row: Row): boolean
  /** Adds a checkbox to each row. */
  selection?: RowSelection<Row> | RowSelection<Row, string>
  /** Dims the current rows while new ones load. */
  refreshing: boolean
  /** Shown if the first load failed. */
  failure?: ReactNode
  empty: ReactNode
  footer?: ReactNode
}

/** A list with loading, error and empty states. Shows a table on wide screens and cards on narrow ones. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { failure, refreshing, empty, footer } = props
  const rows = useFirstRowsDeferred(props.rows)
  const hasCards = useHasCards()
  if (!rows && failure) return <section className={styles.panel}>{failure}</section>
  if (!rows) return <LoadingRows cards={hasCards} />
  if (rows.length === 0) {
    return (
      <>
        <section className={styles.panel}>{empty}</section>
        {footer}
      </>
    )
  }
  return (
    <>
      <div className={styles.rows} data-refreshing={refreshing || undefined} aria-busy={refreshing}>
        {hasCards ? <Cards {...props} rows={rows} /> : <WideTable {...props} rows={rows} />}
      </div>
      {footer}
    </>
  )
}

/** A slow device may never end a deferred rendering that each response of a polled list starts again. */
const MAX_DEFERRED_MS = 1000

/**
 * Rendering the first page of a list is the longest task of a visit. Deferred, React renders it in small slices. Later
 * changes, such as an edited cell, appear immediately.
 */
function useFirstRowsDeferred<Rows>(rows: Rows | undefined): Rows | undefined {
  const hasRows = rows !== undefined
  const isLoaded = useDeferredValue(hasRows)
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    if (!hasRows || isLoaded) return undefined
    const timer = setTimeout(() => setOverdue(true), MAX_DEFERRED_MS)
    return () => clearTimeout(timer)
  }, [hasRows, isLoaded])
  return isLoaded || isOverdue ? rows : undefined
}

type LoadedProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

function WideTable<Row extends object>(props: LoadedProps<Row>) {
  const { label, rows, rowKey, columns, dense = false, restWidth, isFaded, selection } = props
  const isSelectable = useDeferredValue(selection !== undefined) // the button updates before the rows
  const screenWidth = useScreenWidth()
  const shown = useMemo(() => {
    const fitting = columns.filter(({ from = 0 }) => from <= screenWidth)
    return isSelectable ? [selectionColumn<Row>(rows), ...fitting] : fitting
  }, [isSelectable, rows, columns, screenWidth])
  const expandable = useExpandable(props, isSelectable)
  // Rendering a hundred rows is slow, so other state changes must not render them again.
  const table = useMemo(
    () => (
      <Table<Row>
        aria-label={label}
        size="middle"
        columns={shown}
        dataSource={rows}
        rowKey={rowKey}
        pagination={false}
        {...(restWidth === undefined ? SCROLL : { tableLayout: 'fixed', scroll: { x: restWidth + widthOf(shown) } })}
        onRow={(_, index = 0) => ({ ...rowStop(index), late: isLate(index, rows) })}
        components={COMPONENTS}
        rowHoverable={false} // CSS handles hover without rendering cells
        rowClassName={(row) => (isFaded?.(row) ? styles.faded! : '')}
        {...(expandable && { expandable })}
      />
    ),
    [label, shown, rows, rowKey, restWidth, isFaded, expandable],
  )
  const panel = useRef<HTMLDivElement>(null)
  // Ant Design measures columns with a hidden copy of their headers. Its buttons must not get the focus.
  useLayoutEffect(() => {
    for (const row of panel.current?.querySelectorAll<HTMLElement>('tr[aria-hidden="true"]') ?? []) row.inert = true
  })
  return (
    <div ref={panel} className={styles.panel} data-dense={dense || undefined} {...rowKeys}>
      <SelectionContext value={selection}>{table}</SelectionContext>
    </div>
  )
}

const widthOf = (columns: readonly { width?: unknown }[]) =>
  columns.reduce((sum, { width }) => sum + (typeof width === 'number' ? width : 0), 0)

const SCROLL = { scroll: { x: 'max-content' } } as const
const COMPONENTS = { body: { row: LateRow } } as const

function useExpandable<Row extends object>(
  { expandRow, openRows }: LoadedProps<Row>,
  isSelectable: boolean,
): TableProps<Row>['expandable'] {
  const { t } = useTranslation()
  const { keys, onChange, column = 0 } = openRows ?? {}
  return useMemo(() => {
    const columnTitle = <span className="visually-hidden">{t('details')}</span>
    if (expandRow) return { expandedRowRender: expandRow, columnWidth: 40, columnTitle }
    if (!keys) return undefined
    return {
      expandIconColumnIndex: isSelectable ? column + 1 : column,
      expandedRowKeys: keys,
      onExpandedRowsChange: (open) => onChange?.([...open]),
      indentSize: 16,
    }
  }, [t, expandRow, keys, onChange, column, isSelectable])
}

function Cards<Row extends object>({ label, rows, rowKey, renderCard, isFaded, selection }: LoadedProps<Row>) {
  return (
    <SelectionContext value={selection}>
      <ul className={styles.cards} aria-label={label}>
        {rows.map((row, index) => (
          <LateItem
            key={rowKey(row)}
            className={styles.card}
            data-faded={isFaded?.(row) || undefined}
            data-selectable={selection ? true : undefined}
            late={isLate(index, rows)}
          >
            {selection && <SelectionBox row={row} />}
            {renderCard(row)}
          </LateItem>
        ))}
      </ul>
    </SelectionContext>
  )
}

function LoadingRows({ cards }: { cards: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={`${styles.panel} ${styles.loading}`} aria-label={t('loading')} data-late>
      <SkeletonRows rows={10} cards={cards} />
    </output>
  )
}
