import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { FilterInput } from '../../../../ui/filter-input.tsx'
import { Button, type TableProps } from '../../../../ui/kit/index.ts'
import { Pager } from '../../../../ui/pager.tsx'
import { RowButton } from '../../../../ui/row-button.tsx'
import { RowCard } from '../../../../ui/row-card.tsx'
import type { OptionTexts } from '../../option-values.ts'
import { PriceDialog, type Target } from '../entry/price-dialog.tsx'
import { ModelName } from '../list/cells.tsx'
import { SelectionLine } from '../list/selection-line.tsx'
import styles from '../prices.module.css'
import { enabledModelsQuery } from '../queries.ts'
import { SaveBar } from '../save-bar.tsx'
import { unsetModels } from '../unset-models.ts'
import { pageOf } from '../use-local-pages.ts'
import type { Place } from '../use-place.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { EnteredPrice } from './entered-price.tsx'

interface Props {
  draft: PriceDraft
  texts: OptionTexts
  place: Place
}

interface Row {
  name: string
}

/** Models on offer that nobody has priced, to be filled in. They stay until that is saved. */
export function UnsetList({ draft, texts, place }: Props) {
  const { t } = useTranslation('settings')
  const enabled = useQuery(enabledModelsQuery)
  const [target, setTarget] = useState<Target | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (enabled.error && !enabled.data) {
    return (
      <ErrorState
        title={t('prices.unset.failed')}
        error={enabled.error}
        retrying={enabled.isFetching}
        onRetry={enabled.refetch}
      />
    )
  }
  const unset = enabled.data && unsetModels(enabled.data, draft.stored)
  const found = unset?.filter((name) => name.toLowerCase().includes(place.keyword.toLowerCase())) ?? []
  const { page, rows } = pageOf(found, place.pages)
  const names = unset?.filter((name) => selected.has(name)) ?? []
  const actions = ({ name }: Row) => (
    <span className={styles.actions}>
      {draft.draft.has(name) && (
        <RowButton label={t('prices.undoOf', { name })} onClick={() => draft.undo(name)}>
          {t('prices.undo')}
        </RowButton>
      )}
      <RowButton
        label={t('prices.unset.fillOf', { name })}
        outlined
        onClick={() => setTarget({ kind: 'one', name, prices: draft.rowOf(name)?.prices ?? {} })}
      >
        {t('prices.unset.fill')}
      </RowButton>
    </span>
  )
  const columns: NonNullable<TableProps<Row>['columns']> = [
    { key: 'name', title: t('prices.columns.name'), render: (_, { name }) => <ModelName name={name} /> },
    {
      key: 'entered',
      title: t('prices.list'),
      render: (_, { name }) => <EnteredPrice row={draft.rowOf(name)} />,
    },
    {
      key: 'actions',
      title: <span className="visually-hidden">{t('prices.columns.actions')}</span>,
      align: 'right',
      render: (_, row) => actions(row),
    },
  ]
  return (
    <>
      <p className={styles.lead}>
        {t('prices.unset.hint')} {t(`prices.unset.${fateOf(texts)}`)}
      </p>
      {unset && unset.length > 0 && (
        <div className={styles.filters}>
          <FilterInput
            label={t('prices.search')}
            value={place.keyword}
            onChange={(keyword) => place.filter({ keyword })}
          />
          <Button
            onClick={() =>
              names.length === 0 ? toast.info(t('prices.needsSelection')) : setTarget({ kind: 'many', names })
            }
          >
            {names.length === 0 ? t('prices.batch') : t('prices.batchCount', { count: names.length })}
          </Button>
        </div>
      )}
      <SelectionLine names={names} found={found} onChange={setSelected} />
      <DataTable<Row>
        label={t('prices.unset.list')}
        rows={unset && rows.map((name) => ({ name }))}
        rowKey={({ name }) => name}
        columns={columns}
        renderCard={(row) => (
          <RowCard title={<ModelName name={row.name} />} actions={actions(row)}>
            <EnteredPrice row={draft.rowOf(row.name)} />
          </RowCard>
        )}
        ticks={{
          ids: selected,
          idsOf: ({ name }) => [name],
          labelOf: ({ name }) => t('prices.select', { name }),
          onChange: setSelected,
        }}
        refreshing={false}
        error={null}
        onRetry={enabled.refetch}
        empty={
          unset?.length === 0 ? (
            <EmptyState title={t('prices.unset.done')} hint={t('prices.unset.doneHint')} />
          ) : (
            <EmptyState title={t('prices.empty.nothing')} />
          )
        }
        footer={<Pager state={{ ...place.pages, page }} shown={rows.length} total={found.length} />}
      />
      {(draft.count > 0 || (unset && unset.length > 0)) && <SaveBar draft={draft} texts={texts} />}
      <PriceDialog target={target} draft={draft} onClose={() => setTarget(null)} />
    </>
  )
}

/** What becomes of calls to a model without a price. */
function fateOf(texts: OptionTexts): 'fallback' | 'selfUse' | 'refused' {
  if (texts.fallback_pricing_enabled === 'true') return 'fallback'
  return texts.SelfUseModeEnabled === 'true' ? 'selfUse' : 'refused'
}
