import type { ExportDestination } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { FILL, NUMBER, type Column } from '../../ui/table/columns.ts'
import { RowButton, RowName } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import styles from './exports.module.css'

export interface ExportActions {
  edit(id: number): void
  showDeliveries(id: number): void
  test(destination: ExportDestination): Promise<unknown>
  setEnabled(destination: ExportDestination, enabled: boolean): Promise<unknown>
  /** Asks for confirmation first. */
  remove(destination: ExportDestination): void
}

export function useExportColumns(actions: ExportActions): Column<ExportDestination>[] {
  const { t } = useTranslation('exports')
  return useMemo(
    (): Column<ExportDestination>[] => [
      {
        key: 'name',
        title: t('columns.name'),
        ...FILL,
        render: (_, { id, name }) => (
          <RowName label={t('actionOn.edit', { name })} onClick={() => actions.edit(id)}>
            {name}
          </RowName>
        ),
      },
      { key: 'kind', title: t('columns.kind'), from: 1200, render: (_, { kind }) => t(`kinds.${kind}`) },
      {
        key: 'url',
        title: t('columns.url'),
        from: 1024,
        render: (_, { url }) => (
          <span className={`mono ${styles.url}`} title={url}>
            {new URL(url).host}
          </span>
        ),
      },
      { key: 'state', title: t('columns.state'), render: (_, row) => <ExportState row={row} /> },
      { key: 'success', title: t('columns.lastSuccess'), render: (_, row) => <LastSuccess row={row} /> },
      { key: 'open', title: t('columns.open'), ...NUMBER, render: (_, row) => <Waiting row={row} /> },
      { key: 'failed', title: t('columns.failed'), ...NUMBER, render: (_, { failed }) => formatCount(failed) },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, row) => <ExportButtons row={row} actions={actions} />,
      },
    ],
    [t, actions],
  )
}

export function ExportCard({ row, actions }: { row: ExportDestination; actions: ExportActions }) {
  const { t } = useTranslation('exports')
  return (
    <RowCard
      title={row.name}
      aside={<ExportState row={row} />}
      note={t(`kinds.${row.kind}`)}
      problem={row.state === 'failing' && row.last_error}
      actions={<ExportButtons row={row} actions={actions} />}
      details={
        <Facts
          facts={[
            { term: t('columns.url'), value: new URL(row.url).host },
            { term: t('columns.lastSuccess'), value: <LastSuccess row={row} /> },
            { term: t('columns.open'), value: <Waiting row={row} /> },
            { term: t('columns.failed'), value: formatCount(row.failed) },
          ]}
        />
      }
    />
  )
}

const TONES: Record<ExportDestination['state'], RowTone> = { ok: 'usual', failing: 'bad', disabled: 'neutral' }

function ExportState({ row: { state, last_error: error } }: { row: ExportDestination }) {
  const { t } = useTranslation('exports')
  const tag = <StatusTag tone={TONES[state]}>{t(`states.${state}`)}</StatusTag>
  return error === '' ? tag : <span title={error}>{tag}</span>
}

function LastSuccess({ row: { last_success_at: time } }: { row: ExportDestination }) {
  const { t } = useTranslation('exports')
  if (time === null) return <span className="secondary">{t('never')}</span>
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} />
}

/** Open deliveries, and how old the oldest waiting request is. */
function Waiting({ row: { open, lag_seconds: lag } }: { row: ExportDestination }) {
  const { t } = useTranslation('exports')
  if (open === 0) return <span className="secondary">–</span>
  const minutes = Math.ceil(lag / 60)
  return (
    <span className="number" title={t('lag', { minutes: formatCount(minutes) })}>
      {formatCount(open)}
    </span>
  )
}

function ExportButtons({ row, actions }: { row: ExportDestination; actions: ExportActions }) {
  const { t } = useTranslation('exports')
  const { id, name, enabled } = row
  return (
    <span className={styles.actions}>
      <RowButton outlined label={t('actionOn.deliveries', { name })} onClick={() => actions.showDeliveries(id)}>
        {t('actions.deliveries')}
      </RowButton>
      <MenuButton
        label={t('moreOf', { name })}
        items={() => [
          { key: 'edit', label: t('actions.edit'), onClick: () => actions.edit(id) },
          { key: 'test', label: t('actions.test'), onClick: () => void actions.test(row) },
          {
            key: 'enabled',
            label: t(enabled ? 'actions.disable' : 'actions.enable'),
            onClick: () => void actions.setEnabled(row, !enabled),
          },
          { type: 'divider' as const },
          { key: 'delete', label: t('actions.delete'), danger: true, onClick: () => actions.remove(row) },
        ]}
      />
    </span>
  )
}
