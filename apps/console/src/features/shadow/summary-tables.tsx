import { ArrowRightOutlined } from '@ant-design/icons'
import { SHADOW_ROWS_SHOWN, type ShadowModel, type ShadowRoute } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { amountDecimals, formatCount } from '../../lib/format.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { FILL, NUMBER, type Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { ChannelName, Charge, ChargeDifference } from './cells.tsx'
import styles from './shadow.module.css'

interface ModelsProps {
  models: readonly ShadowModel[]
  refreshing: boolean
  /** Opens the requests of a model. */
  onShow(model: string): void
}

export function ModelsTable({ models, refreshing, onShow }: ModelsProps) {
  const { t } = useTranslation('shadow')
  const columns = useModelColumns(models, onShow)
  const rows = useMemo(() => models.toSorted((one, other) => sizeOf(other) - sizeOf(one)), [models])
  return (
    <DataTable
      label={t('models.list')}
      rows={rows}
      rowKey={nameOf}
      columns={columns}
      renderCard={(model) => <ModelCard model={model} decimals={decimalsOf(models)} onShow={onShow} />}
      dense
      refreshing={refreshing}
      empty={<EmptyState title={t('models.empty')} />}
      footer={
        models.length >= SHADOW_ROWS_SHOWN && (
          <p className={styles.most}>{t('models.most', { count: models.length })}</p>
        )
      }
    />
  )
}

function useModelColumns(models: ModelsProps['models'], onShow: ModelsProps['onShow']): Column<ShadowModel>[] {
  const { t } = useTranslation('shadow')
  const decimals = decimalsOf(models)
  return useMemo(
    () => [
      {
        key: 'model',
        title: t('models.columns.model'),
        ...FILL,
        render: (_, row) => <ModelButton {...row} onShow={onShow} />,
      },
      {
        ...NUMBER_CELL,
        key: 'calls',
        title: t('models.columns.calls'),
        render: (_, row) => <Count value={row.calls} />,
      },
      {
        ...NUMBER_CELL,
        key: 'matched',
        title: t('models.columns.matched'),
        render: (_, row) => <Count value={row.matched} />,
      },
      {
        ...NUMBER_CELL,
        key: 'old',
        title: t('models.columns.old'),
        render: (_, row) => <Charge quota={chargesOf(row).old} decimals={decimals} />,
      },
      {
        ...NUMBER_CELL,
        key: 'ours',
        title: t('models.columns.ours'),
        render: (_, row) => <Charge quota={chargesOf(row).ours} decimals={decimals} />,
      },
      {
        ...NUMBER,
        key: 'difference',
        title: t('models.columns.difference'),
        render: (_, row) => <ChargeDifference {...chargesOf(row)} decimals={decimals} />,
      },
    ],
    [t, onShow, decimals],
  )
}

const decimalsOf = (models: ModelsProps['models']) =>
  amountDecimals(models.flatMap(({ old_quota: old, would_quota: ours }) => [old, ours, ours - old]))

const NUMBER_CELL = { align: 'right' } as const

interface CardProps extends Pick<ModelsProps, 'onShow'> {
  model: ShadowModel
  decimals: number
}

function ModelCard({ model, decimals, onShow }: CardProps) {
  const { t } = useTranslation('shadow')
  const { old, ours } = chargesOf(model)
  return (
    <RowCard
      title={<ModelButton {...model} onShow={onShow} />}
      aside={<ChargeDifference old={old} ours={ours} decimals={decimals} />}
      details={
        <Facts
          facts={[
            { term: t('models.columns.calls'), value: <Count value={model.calls} /> },
            { term: t('models.columns.matched'), value: <Count value={model.matched} /> },
            { term: t('models.columns.old'), value: <Charge quota={old} decimals={decimals} /> },
            { term: t('models.columns.ours'), value: <Charge quota={ours} decimals={decimals} /> },
          ]}
        />
      }
    />
  )
}

function ModelButton({ model_name: model, onShow }: Pick<ShadowModel, 'model_name'> & Pick<ModelsProps, 'onShow'>) {
  const { t } = useTranslation('shadow')
  return (
    <button
      type="button"
      className={`mono ${styles.model}`}
      aria-label={t('models.show', { model })}
      data-main
      onClick={() => onShow(model)}
    >
      {model}
    </button>
  )
}

const Count = ({ value }: { value: number }) => <span className="number">{formatCount(value)}</span>

/** The largest difference comes first. The server sorts by the number of requests, which decides between equal ones. */
const sizeOf = ({ old_quota: old, would_quota: ours }: ShadowModel) => Math.abs(ours - old)

/** Charges are unknown, not zero, if no request was matched. */
function chargesOf({ matched, old_quota, would_quota }: ShadowModel) {
  return matched === 0 ? { old: null, ours: null } : { old: old_quota, ours: would_quota }
}

const nameOf = ({ model_name }: ShadowModel) => model_name

interface RoutesProps {
  routes: readonly ShadowRoute[]
  refreshing: boolean
}

/** The channels of the old gateway and those that Tidegate would use; other channels than before come first. */
export function RoutesTable({ routes, refreshing }: RoutesProps) {
  const { t } = useTranslation('shadow')
  const columns = useRouteColumns()
  const rows = useMemo(() => routes.toSorted((one, other) => Number(isSame(one)) - Number(isSame(other))), [routes])
  return (
    <DataTable
      label={t('routes.list')}
      rows={rows}
      rowKey={keyOf}
      columns={columns}
      renderCard={(route) => <RouteCard route={route} />}
      dense
      refreshing={refreshing}
      empty={<EmptyState title={t('routes.empty')} hint={t('routes.emptyHint')} />}
      footer={
        routes.length >= SHADOW_ROWS_SHOWN && (
          <p className={styles.most}>{t('routes.most', { count: routes.length })}</p>
        )
      }
    />
  )
}

function useRouteColumns(): Column<ShadowRoute>[] {
  const { t } = useTranslation('shadow')
  return useMemo(
    () => [
      { key: 'old', title: t('routes.columns.old'), render: (_, route) => <OldChannel route={route} /> },
      {
        key: 'ours',
        title: t('routes.columns.ours'),
        render: (_, route) => (
          <span className={styles.route}>
            <ArrowRightOutlined aria-hidden className="secondary" /> <NewChannel route={route} />
          </span>
        ),
      },
      { key: 'comparison', title: t('routes.columns.comparison'), render: (_, route) => <Comparison route={route} /> },
      {
        ...NUMBER,
        key: 'calls',
        title: t('routes.columns.calls'),
        render: (_, { calls }) => <span className="number">{formatCount(calls)}</span>,
      },
    ],
    [t],
  )
}

function RouteCard({ route }: { route: ShadowRoute }) {
  const { t } = useTranslation('shadow')
  return (
    <RowCard
      title={
        <span className={styles.route}>
          <OldChannel route={route} /> <ArrowRightOutlined aria-hidden className="secondary" />{' '}
          <NewChannel route={route} />
        </span>
      }
      aside={<span className="number">{t('callCount', { count: formatCount(route.calls) })}</span>}
      note={<Comparison route={route} />}
    />
  )
}

interface RouteProps {
  route: ShadowRoute
}

const OldChannel = ({ route }: RouteProps) => <ChannelName id={route.old_channel_id} name={route.old_channel_name} />
const NewChannel = ({ route }: RouteProps) => <ChannelName id={route.channel_id} name={route.channel_name} />

const isSame = ({ old_channel_id: old, channel_id: ours }: ShadowRoute) => old === ours

function Comparison({ route }: RouteProps) {
  const { t } = useTranslation('shadow')
  if (route.channel_id === null) return <StatusTag tone="bad">{t('routes.refused')}</StatusTag>
  return isSame(route) ? (
    <span data-same>{t('routes.same')}</span>
  ) : (
    <StatusTag tone="warn">{t('routes.differs')}</StatusTag>
  )
}

const keyOf = ({ old_channel_id: old, channel_id: ours }: ShadowRoute) => `${old}/${ours}`
