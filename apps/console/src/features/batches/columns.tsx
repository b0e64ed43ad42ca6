import { BATCH_STATES, type Batch, type BatchState } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { columnDecimals, formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { NUMBER, type Column } from '../../ui/table/columns.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { isOpen, type ResultKind } from './api.ts'
import styles from './batches.module.css'

export interface BatchActions {
  /** Asks for confirmation first. */
  cancel(batch: Batch): void
  download(batch: Batch, kind: ResultKind): Promise<void>
}

interface ColumnOptions {
  rows: readonly Batch[] | undefined
  isAdmin: boolean
  /** The user, whose results can be downloaded. */
  userId: number
  actions: BatchActions
}

export function useBatchColumns({ rows = [], isAdmin, userId, actions }: ColumnOptions): Column<Batch>[] {
  const { t } = useTranslation('batches')
  const decimals = columnDecimals(rows.map(({ quota }) => quota))
  return useMemo(
    (): Column<Batch>[] => [
      {
        key: 'created',
        title: t('columns.created'),
        render: (_, batch) => <Time unixSeconds={batch.created_at} exact />,
      },
      { key: 'id', title: t('columns.id'), from: 1024, render: (_, { id }) => <BatchId id={id} /> },
      ...(isAdmin
        ? [
            {
              key: 'user',
              title: t('columns.user'),
              from: 1024 as const,
              render: (_: unknown, batch: Batch) => <BatchUser batch={batch} />,
            },
          ]
        : []),
      { key: 'token', title: t('columns.token'), from: isAdmin ? 1440 : 1024, render: (_, batch) => batch.token_name },
      {
        key: 'model',
        title: t('columns.model'),
        render: (_, { model }) => (model ? <span className="mono">{model}</span> : <Nothing />),
      },
      { key: 'status', title: t('columns.status'), render: (_, batch) => <BatchStatus batch={batch} /> },
      { key: 'runsAt', title: t('columns.runsAt'), from: 1200, render: (_, batch) => <RunsAt batch={batch} /> },
      { key: 'progress', title: t('columns.progress'), render: (_, batch) => <BatchProgress batch={batch} /> },
      {
        key: 'failed',
        title: t('columns.failed'),
        ...NUMBER,
        render: (_, { failed }) => <FailedCount failed={failed} />,
      },
      {
        key: 'cost',
        title: t('columns.cost'),
        ...NUMBER,
        render: (_, { quota }) => <Money quota={quota} kind="call" decimals={decimals} />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, batch) => <BatchMenu batch={batch} userId={userId} actions={actions} />,
      },
    ],
    [t, isAdmin, userId, decimals, actions],
  )
}

type CardProps = ColumnOptions & { batch: Batch }

export function BatchCard({ rows, batch, isAdmin, userId, actions }: CardProps) {
  const { t } = useTranslation('batches')
  const decimals = columnDecimals((rows ?? []).map(({ quota }) => quota))
  return (
    <RowCard
      title={batch.model || batch.endpoint}
      note={
        batch.status === 'completed' && batch.failed === 0 ? (
          <BatchProgress batch={batch} />
        ) : (
          <BatchStatus batch={batch} />
        )
      }
      aside={<Money quota={batch.quota} kind="call" decimals={decimals} />}
      actions={<BatchMenu batch={batch} userId={userId} actions={actions} />}
      details={
        <Facts
          facts={[
            { term: t('columns.id'), value: <BatchId id={batch.id} /> },
            { term: t('columns.created'), value: <Time unixSeconds={batch.created_at} exact /> },
            { term: t('columns.status'), value: <BatchStatus batch={batch} /> },
            { term: t('columns.progress'), value: <BatchProgress batch={batch} /> },
            { term: t('columns.token'), value: batch.token_name },
            { term: t('columns.runsAt'), value: <RunsAt batch={batch} /> },
            { term: t('columns.failed'), value: <FailedCount failed={batch.failed} /> },
            ...(isAdmin ? [{ term: t('columns.user'), value: <BatchUser batch={batch} /> }] : []),
          ]}
        />
      }
    />
  )
}

function Nothing() {
  return <span className="secondary">–</span>
}

function BatchUser({ batch: { user_id: id, username } }: { batch: Batch }) {
  return <Link to={`/admin/users?keyword=${id}`}>{username || <span className="number">#{id}</span>}</Link>
}

/** Where a batch runs, and at which price. */
function RunsAt({ batch: { runs_at: place, channel_id: id, channel_name: name } }: { batch: Batch }) {
  const { t } = useTranslation('batches')
  if (place === '') return <Nothing />
  if (place !== 'provider') return t('runsAt.site')
  if (id === 0) return t('runsAt.provider')
  return <Link to={`/admin/channels?keyword=${id}`}>{t('runsAt.channel', { name: name || `#${id}` })}</Link>
}

/** IDs differ most at their end. The button copies the whole ID. */
function BatchId({ id }: { id: string }) {
  const { t } = useTranslation('batches')
  return (
    <span className={styles.id}>
      <code className="mono" title={id}>
        {id.length > VISIBLE ? `${id.slice(0, VISIBLE - END)}…${id.slice(-END)}` : id}
      </code>
      <CopyButton text={id} label={t('copyId', { id })} />
    </span>
  )
}

const VISIBLE = 16
const END = 6

const TONES: Record<BatchState, RowTone> = {
  validating: 'info',
  in_progress: 'info',
  finalizing: 'info',
  cancelling: 'warn',
  completed: 'usual',
  failed: 'bad',
  expired: 'warn',
  cancelled: 'neutral',
}

/** A completed batch with failed requests is not shown as a success. */
function BatchStatus({ batch: { status, failed, fail_reason: reason } }: { batch: Batch }) {
  const { t } = useTranslation('batches')
  const known = BATCH_STATES.find((state) => state === status)
  const isPartly = known === 'completed' && failed > 0
  const tag = (
    <StatusTag tone={isPartly ? 'warn' : known ? TONES[known] : 'neutral'}>
      {isPartly ? t('partlyFailed') : known ? t(`statuses.${known}`) : status}
    </StatusTag>
  )
  return reason === '' ? tag : <span title={reason}>{tag}</span>
}

/** How many requests failed. Zero is not emphasized. */
function FailedCount({ failed }: { failed: number }) {
  return <span className={failed > 0 ? styles.failed : 'secondary'}>{formatCount(failed)}</span>
}

/** How many of the requests ended, as a bar while the batch is open. */
function BatchProgress({ batch }: { batch: Batch }) {
  const { t } = useTranslation('batches')
  const { total, succeeded, failed } = batch
  if (total === 0) return <Nothing />
  const ended = succeeded + failed
  return (
    <span className={styles.progress}>
      {isOpen(batch) && (
        <progress className={styles.bar} aria-label={t('columns.progress')} max={total} value={ended} />
      )}
      <span className="number">
        {formatCount(ended)} / {formatCount(total)}
      </span>
    </span>
  )
}

interface MenuProps {
  batch: Batch
  userId: number
  actions: BatchActions
}

function BatchMenu({ batch, userId, actions }: MenuProps) {
  const { t } = useTranslation('batches')
  const { id, status } = batch
  const isOwn = batch.user_id === userId
  const download = (kind: ResultKind) => ({
    key: kind,
    label: t(`actions.${kind}`),
    onClick: () => void actions.download(batch, kind),
  })
  const items = [
    ...(isOwn && batch.has_output ? [download('output')] : []),
    ...(isOwn && batch.has_errors ? [download('errors')] : []),
    ...(status === 'validating' || status === 'in_progress'
      ? [{ key: 'cancel', label: t('actions.cancel'), danger: true, onClick: () => actions.cancel(batch) }]
      : []),
  ]
  return items.length === 0 ? null : <MenuButton label={t('actionsOf', { name: id })} items={() => items} />
}
