import { Skeleton, Table, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../lib/use-media.ts'
import styles from './data-table.module.css'
import { ErrorState } from './error-state.tsx'

interface Props<Row> {
  /** What the table lists, for people who cannot see it. */
  label: string
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  columns: NonNullable<TableProps<Row>['columns']>
  /** The same row on a phone, the two facts that matter on top. */
  renderCard(row: Row): ReactNode
  expandRow?(row: Row): ReactNode
  /** Old rows stay, dimmed, while new ones are on their way. */
  refreshing: boolean
  error: unknown
  onRetry(): unknown
  empty: ReactNode
  footer?: ReactNode
}

/** A list in all its states: loading, failed, empty, a table on wide screens, cards on a narrow one. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { rows, error, onRetry, refreshing, empty, footer } = props
  const { t } = useTranslation()
  const isNarrow = useIsNarrow()
  if (!rows && error) {
    return (
      <section className={styles.panel}>
        <ErrorState title={t('errors.loadFailed')} error={error} retrying={refreshing} onRetry={onRetry} />
      </section>
    )
  }
  if (!rows) return <LoadingRows cards={isNarrow} />
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
        {isNarrow ? <Cards {...props} rows={rows} /> : <WideTable {...props} rows={rows} />}
      </div>
      {footer}
    </>
  )
}

type Filled<Row> = Props<Row> & { rows: readonly Row[] }

function WideTable<Row extends object>({ label, rows, rowKey, columns, expandRow }: Filled<Row>) {
  const { t } = useTranslation()
  return (
    <div className={styles.panel}>
      <Table<Row>
        aria-label={label}
        size="middle"
        columns={columns}
        dataSource={rows}
        rowKey={rowKey}
        pagination={false}
        scroll={{ x: 'max-content' }}
        {...(expandRow
          ? {
              expandable: {
                expandedRowRender: expandRow,
                columnWidth: 40,
                columnTitle: <span className="visually-hidden">{t('details')}</span>,
              },
            }
          : {})}
      />
    </div>
  )
}

function Cards<Row extends object>({ label, rows, rowKey, renderCard }: Filled<Row>) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={styles.card}>
          {renderCard(row)}
        </li>
      ))}
    </ul>
  )
}

function LoadingRows({ cards }: { cards: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={`${styles.panel} ${styles.loading}`} aria-label={t('loading')}>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={styles.loadingRow} data-card={cards || undefined}>
          <Skeleton active title={false} paragraph={{ rows: cards ? 3 : 1, width: '100%' }} />
        </div>
      ))}
    </output>
  )
}
