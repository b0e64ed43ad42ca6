import { SHADOW_ROWS_SHOWN, type ShadowModel } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { NUMBER, type Column } from '../../../ui/table/columns.ts'
import { Charge, ChargeDifference } from '../amounts.tsx'
import styles from '../shadow.module.css'

interface Props {
  models: readonly ShadowModel[]
  refreshing: boolean
  /** Narrows the list of calls to a model. */
  onShow(model: string): void
}

export function ModelsTable({ models, refreshing, onShow }: Props) {
  const { t } = useTranslation('shadow')
  const columns = useModelColumns(onShow)
  return (
    <ResourceTable
      label={t('models.list')}
      rows={models}
      rowKey={nameOf}
      columns={columns}
      renderCard={(model) => <ModelCard model={model} onShow={onShow} />}
      refreshing={refreshing}
      error={null}
      onRetry={() => {}}
      empty={<EmptyState title={t('models.empty')} />}
      footer={
        models.length >= SHADOW_ROWS_SHOWN && (
          <p className={styles.most}>{t('models.most', { count: models.length })}</p>
        )
      }
    />
  )
}

function useModelColumns(onShow: Props['onShow']): Column<ShadowModel>[] {
  const { t } = useTranslation('shadow')
  return useMemo(
    () => [
      { key: 'model', title: t('models.columns.model'), render: (_, row) => <ModelButton {...row} onShow={onShow} /> },
      { ...FIGURE, key: 'calls', title: t('models.columns.calls'), render: (_, row) => <Count value={row.calls} /> },
      {
        ...FIGURE,
        key: 'matched',
        title: t('models.columns.matched'),
        render: (_, row) => <Count value={row.matched} />,
      },
      {
        ...FIGURE,
        key: 'old',
        title: t('models.columns.old'),
        render: (_, row) => <Charge quota={chargesOf(row).old} kind="sum" />,
      },
      {
        ...FIGURE,
        key: 'ours',
        title: t('models.columns.ours'),
        render: (_, row) => <Charge quota={chargesOf(row).ours} kind="sum" />,
      },
      {
        ...NUMBER,
        key: 'difference',
        title: t('models.columns.difference'),
        render: (_, row) => <ChargeDifference {...chargesOf(row)} kind="sum" />,
      },
    ],
    [t, onShow],
  )
}

const FIGURE = { align: 'right' } as const

function ModelCard({ model, onShow }: { model: ShadowModel; onShow: Props['onShow'] }) {
  const { t } = useTranslation('shadow')
  const { old, ours } = chargesOf(model)
  return (
    <RowCard
      title={<ModelButton {...model} onShow={onShow} />}
      aside={<ChargeDifference old={old} ours={ours} kind="sum" />}
    >
      <Facts
        facts={[
          { term: t('models.columns.calls'), value: <Count value={model.calls} /> },
          { term: t('models.columns.matched'), value: <Count value={model.matched} /> },
          { term: t('models.columns.old'), value: <Charge quota={old} kind="sum" /> },
          { term: t('models.columns.ours'), value: <Charge quota={ours} kind="sum" /> },
        ]}
      />
    </RowCard>
  )
}

function ModelButton({ model_name: model, onShow }: Pick<ShadowModel, 'model_name'> & Pick<Props, 'onShow'>) {
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

/** Without a match there is nothing to compare, which is not the same as a charge of nothing. */
function chargesOf({ matched, old_quota, would_quota }: ShadowModel) {
  return matched === 0 ? { old: null, ours: null } : { old: old_quota, ours: would_quota }
}

const nameOf = ({ model_name }: ShadowModel) => model_name
