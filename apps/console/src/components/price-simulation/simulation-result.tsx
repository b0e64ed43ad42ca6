import type { SimulatedRow } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  amountDecimals,
  formatCallPrice,
  formatColumnPrice,
  formatCount,
  formatExactTime,
  formatSpending,
} from '../../lib/format.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { pageOf, useLocalPages } from '../../ui/table/use-local-pages.ts'
import { Money } from '../money.tsx'
import styles from './simulation.module.css'
import type { Simulation } from './simulation-query.ts'

interface Props {
  simulation: Simulation
  /** Shows the current prices only. */
  isBaseline: boolean
}

/** Total cost, then the cost by model and group, largest change first. */
export function SimulationResult({ simulation, isBaseline }: Props) {
  const { t } = useTranslation('settings')
  if (simulation.rows.length === 0) {
    return (
      <EmptyState
        title={t('prices.simulation.empty')}
        hint={t('prices.simulation.emptyHint')}
        guide="guides/price-models#simulate-a-change"
      />
    )
  }
  return (
    <>
      <Totals simulation={simulation} isBaseline={isBaseline} />
      <Rows simulation={simulation} isBaseline={isBaseline} />
    </>
  )
}

function Totals({ simulation: { billed, before, after, from, rows }, isBaseline }: Props) {
  const { t } = useTranslation('settings')
  const isExact = rows.every(({ basis }) => basis === 'requests')
  return (
    <>
      <dl className={styles.totals}>
        <div>
          <dt>{t('prices.simulation.billed')}</dt>
          <dd>
            <Money quota={billed} kind="sum" />
            <span className={styles.note}>{t('prices.simulation.billedHint')}</span>
          </dd>
        </div>
        <div>
          <dt>{t('prices.simulation.before')}</dt>
          <dd>
            <Money quota={before} kind="sum" />
          </dd>
        </div>
        {!isBaseline && (
          <div>
            <dt>{t('prices.simulation.after')}</dt>
            <dd>
              <Money quota={after} kind="sum" />
              <CostChange before={before} after={after} />
            </dd>
          </div>
        )}
      </dl>
      <p className={styles.lead}>
        {t('prices.simulation.since', { time: formatExactTime(from).slice(0, 10) })}{' '}
        {t(isExact ? 'prices.simulation.exact' : 'prices.simulation.approximate')}
      </p>
    </>
  )
}

/** The difference in words, money and percent. The colour only repeats the words. */
export function CostChange({ before, after }: { before: number; after: number }) {
  const { t } = useTranslation('settings')
  const difference = after - before
  if (difference === 0) return <span className={styles.note}>{t('prices.simulation.same')}</span>
  const direction = difference > 0 ? 'more' : 'less'
  const money = formatSpending(Math.abs(difference))
  const percent = before === 0 ? null : percentText(difference / before)
  return (
    <span className={`number ${styles.note}`} data-tone={direction}>
      {percent === null
        ? t(`prices.simulation.${direction}Only`, { money })
        : t(`prices.simulation.${direction}`, { money, percent })}
    </span>
  )
}

/** `+12.5%` */
const percentText = (share: number, decimals = 0): string =>
  share.toLocaleString('en-US', {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: 1,
    signDisplay: 'always',
  })

/** The difference in money and percent. Signs and percents end at one edge in all rows. */
function ChangeCell({ row: { before = 0, after = 0 }, decimals }: { row: SimulatedRow; decimals: number }) {
  const difference = after - before
  if (difference === 0) return <span className="secondary">–</span>
  return (
    <span className={`number ${styles.change}`} data-tone={difference > 0 ? 'more' : 'less'}>
      <span>
        {difference > 0 ? '+' : '-'}
        {formatColumnPrice(Math.abs(difference), decimals)}
      </span>
      <span>{before === 0 ? '–' : percentText(difference / before, 1)}</span>
    </span>
  )
}

function Rows({ simulation, isBaseline }: Props) {
  const { t } = useTranslation('settings')
  const pages = useLocalPages()
  const { others } = simulation
  const rows = isBaseline ? simulation.rows.toSorted(byCost) : simulation.rows
  const { page, rows: shown } = pageOf(rows, pages)
  const decimals = amountDecimals(
    shown.flatMap(({ billed, before = 0, after = 0 }) => [billed, before, after, after - before]),
  )
  const amount = (title: string, key: string, render: (row: SimulatedRow) => ReactNode) => ({
    key,
    title,
    align: 'right' as const,
    render: (_: unknown, row: SimulatedRow) => render(row),
  })
  const columns: Column<SimulatedRow>[] = [
    {
      key: 'model',
      title: t('prices.simulation.columns.model'),
      render: (_, { model_name }) => <span className={`mono ${styles.name}`}>{model_name}</span>,
    },
    { key: 'group', title: t('prices.simulation.columns.group'), render: (_, { group }) => group },
    amount(t('prices.simulation.columns.requests'), 'requests', ({ requests }) => <Count value={requests} />),
    amount(t('prices.simulation.billed'), 'billed', ({ billed }) => <Money quota={billed} decimals={decimals} />),
    amount(t('prices.simulation.before'), 'before', (row) => <Cost quota={row.before} row={row} decimals={decimals} />),
    ...(isBaseline
      ? []
      : [
          amount(t('prices.simulation.after'), 'after', (row) => (
            <Cost quota={row.after} row={row} decimals={decimals} />
          )),
          amount(t('prices.simulation.change'), 'change', (row) => <ChangeCell row={row} decimals={decimals} />),
        ]),
  ]
  return (
    <>
      <DataTable<SimulatedRow>
        label={t(isBaseline ? 'prices.simulation.listNow' : 'prices.simulation.list')}
        rows={shown}
        rowKey={({ model_name, group }) => `${group} ${model_name}`}
        columns={columns}
        renderCard={(row) => <SimulatedCard row={row} isBaseline={isBaseline} />}
        dense
        refreshing={false}
        empty={null}
        footer={<Pager state={{ ...pages, page }} shown={shown.length} total={rows.length} isFixed />}
      />
      {others.rows > 0 && (
        <p className={styles.lead}>
          {t(isBaseline ? 'prices.simulation.othersNow' : 'prices.simulation.others', {
            count: others.rows,
            before: formatCallPrice(others.before),
            after: formatCallPrice(others.after),
          })}
        </p>
      )}
    </>
  )
}

const byCost = (one: SimulatedRow, other: SimulatedRow) => (other.before ?? 0) - (one.before ?? 0)

function SimulatedCard({ row, isBaseline }: { row: SimulatedRow; isBaseline: boolean }) {
  const { t } = useTranslation('settings')
  const { model_name, group, requests, billed, before, after } = row
  return (
    <RowCard title={<span className="mono">{model_name}</span>} aside={<span className="secondary">{group}</span>}>
      {!isBaseline && <CostChange before={before ?? 0} after={after ?? 0} />}
      <Facts
        facts={[
          { term: t('prices.simulation.before'), value: <Cost quota={before} row={row} /> },
          ...(isBaseline ? [] : [{ term: t('prices.simulation.after'), value: <Cost quota={after} row={row} /> }]),
          { term: t('prices.simulation.billed'), value: <Money quota={billed} kind="call" /> },
          { term: t('prices.simulation.columns.requests'), value: <Count value={requests} /> },
        ]}
      />
    </RowCard>
  )
}

interface CostProps {
  quota: number | undefined
  row: SimulatedRow
  /** In a column. A card shows as many as needed. */
  decimals?: number
}

function Cost({ quota, row: { basis }, decimals }: CostProps) {
  const { t } = useTranslation('settings')
  if (quota === undefined) return <StatusTag tone="bad">{t('prices.simulation.refused')}</StatusTag>
  return (
    <span className={styles.cost}>
      {basis !== 'requests' && (
        <abbr className={styles.approximate} title={t('prices.simulation.approximateRow')}>
          ≈
        </abbr>
      )}
      <Money quota={quota} kind="call" decimals={decimals} />
    </span>
  )
}

const Count = ({ value }: { value: number }) => <span className="number">{formatCount(value)}</span>
