import type { SimulatedRow } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCallPrice, formatCount } from '../../../../lib/format.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Facts } from '../../../../ui/facts.tsx'
import type { TableProps } from '../../../../ui/kit/index.ts'
import { Money } from '../../../../ui/money.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { RowCard } from '../../../../ui/row-card.tsx'
import { StatusTag } from '../../../../ui/status-tag.tsx'
import styles from '../prices.module.css'
import { pageOf, useLocalPages } from '../use-local-pages.ts'
import { Change } from './change.tsx'
import type { Simulation } from './simulated-totals.tsx'

/** The same by model and group, those that change most first. */
export function SimulatedRows({ simulation: { rows, others } }: { simulation: Simulation }) {
  const { t } = useTranslation('settings')
  const pages = useLocalPages()
  const { page, rows: shown } = pageOf(rows, pages)
  const figure = (title: string, key: string, render: (row: SimulatedRow) => ReactNode) => ({
    key,
    title,
    align: 'right' as const,
    render: (_: unknown, row: SimulatedRow) => render(row),
  })
  const columns: NonNullable<TableProps<SimulatedRow>['columns']> = [
    {
      key: 'model',
      title: t('prices.simulation.columns.model'),
      render: (_, { model_name }) => <span className={`mono ${styles.name}`}>{model_name}</span>,
    },
    { key: 'group', title: t('prices.simulation.columns.group'), render: (_, { group }) => group },
    figure(t('prices.simulation.columns.requests'), 'requests', ({ requests }) => <Count value={requests} />),
    figure(t('prices.simulation.billed'), 'billed', ({ billed }) => <Money quota={billed} kind="call" />),
    figure(t('prices.simulation.before'), 'before', (row) => <Cost quota={row.before} row={row} />),
    figure(t('prices.simulation.after'), 'after', (row) => <Cost quota={row.after} row={row} />),
    figure(t('prices.simulation.change'), 'change', ({ before = 0, after = 0 }) => (
      <Change before={before} after={after} />
    )),
  ]
  return (
    <>
      <DataTable<SimulatedRow>
        label={t('prices.simulation.list')}
        rows={shown}
        rowKey={({ model_name, group }) => `${group} ${model_name}`}
        columns={columns}
        renderCard={(row) => <SimulatedCard row={row} />}
        dense
        refreshing={false}
        error={null}
        onRetry={() => {}}
        empty={null}
        footer={<Pager state={{ ...pages, page }} shown={shown.length} total={rows.length} isFixed />}
      />
      {others.rows > 0 && (
        <p className={styles.lead}>
          {t('prices.simulation.others', {
            count: others.rows,
            before: formatCallPrice(others.before),
            after: formatCallPrice(others.after),
          })}
        </p>
      )}
    </>
  )
}

function SimulatedCard({ row }: { row: SimulatedRow }) {
  const { t } = useTranslation('settings')
  const { model_name, group, requests, billed, before, after } = row
  return (
    <RowCard title={<span className="mono">{model_name}</span>} aside={<span className="secondary">{group}</span>}>
      <Change before={before ?? 0} after={after ?? 0} />
      <Facts
        facts={[
          { term: t('prices.simulation.before'), value: <Cost quota={before} row={row} /> },
          { term: t('prices.simulation.after'), value: <Cost quota={after} row={row} /> },
          { term: t('prices.simulation.billed'), value: <Money quota={billed} kind="call" /> },
          { term: t('prices.simulation.columns.requests'), value: <Count value={requests} /> },
        ]}
      />
    </RowCard>
  )
}

function Cost({ quota, row: { basis } }: { quota: number | undefined; row: SimulatedRow }) {
  const { t } = useTranslation('settings')
  if (quota === undefined) return <StatusTag tone="bad">{t('prices.simulation.refused')}</StatusTag>
  return (
    <span className={styles.cost}>
      {basis !== 'requests' && (
        <abbr className={styles.approximate} title={t('prices.simulation.approximateRow')}>
          ≈
        </abbr>
      )}
      <Money quota={quota} kind="call" />
    </span>
  )
}

const Count = ({ value }: { value: number }) => <span className="number">{formatCount(value)}</span>
