import { PlusOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterInput } from '../../../../ui/filter-input.tsx'
import { Button, Segmented } from '../../../../ui/kit/index.ts'
import { Pager } from '../../../../ui/pager.tsx'
import type { Options } from '../../queries.ts'
import type { PriceRow } from '../draft.ts'
import { PriceDialog, type Target } from '../entry/price-dialog.tsx'
import { hasConflict } from '../price-list.ts'
import { PresetButton } from '../preset/preset-button.tsx'
import { ResetRatios } from '../preset/reset-ratios.tsx'
import styles from '../prices.module.css'
import { SaveBar } from '../save-bar.tsx'
import { pageOf } from '../use-local-pages.ts'
import { SHOWS, type Place, type Show } from '../use-place.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { PriceCard } from './price-card.tsx'
import { SelectionLine } from './selection-line.tsx'
import { usePriceColumns } from './use-price-columns.tsx'

interface Props {
  draft: PriceDraft
  options: Options
  place: Place
}

const PAGE_SIZE = 10

/** Every model that has a figure, to be searched, changed one by one or together, and saved as a whole. */
export function PriceEditor({ draft, options, place }: Props) {
  const { t } = useTranslation('settings')
  const [target, setTarget] = useState<Target | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const edit = ({ name, prices }: PriceRow) => setTarget({ kind: 'one', name, prices })
  const columns = usePriceColumns(draft, edit)

  const kinds: Record<Show, (row: PriceRow) => boolean> = {
    all: () => true,
    changed: ({ state }) => state !== 'same',
    conflict: ({ prices }) => hasConflict(prices),
  }
  const keyword = place.keyword.toLowerCase()
  const found = draft.rows.filter((row) => kinds[place.show](row) && row.name.toLowerCase().includes(keyword))
  const { page, rows } = pageOf(found, { page: place.pages.page, size: PAGE_SIZE })
  const isFiltered = keyword !== '' || place.show !== 'all'
  const names = draft.rows.map(({ name }) => name).filter((name) => selected.has(name))

  const add = (
    <Button icon={<PlusOutlined aria-hidden />} onClick={() => setTarget({ kind: 'new' })}>
      {t('prices.add')}
    </Button>
  )
  return (
    <>
      <div className={styles.tools}>
        {add}
        <Button
          onClick={() =>
            names.length === 0 ? toast.info(t('prices.needsSelection')) : setTarget({ kind: 'many', names })
          }
        >
          {names.length === 0 ? t('prices.batch') : t('prices.batchCount', { count: names.length })}
        </Button>
        <PresetButton draft={draft} onFilled={() => place.turnTo('visual', 'changed')} />
        <ResetRatios options={options} />
      </div>
      <div className={styles.filters}>
        <FilterInput
          label={t('prices.search')}
          value={place.keyword}
          onChange={(text) => place.filter({ keyword: text })}
        />
        <Segmented<Show>
          aria-label={t('prices.show.label')}
          value={place.show}
          onChange={(show) => place.filter({ show })}
          options={SHOWS.map((show) => ({
            value: show,
            label: t(`prices.show.${show}`, { count: draft.rows.filter(kinds[show]).length }),
          }))}
        />
      </div>
      <SelectionLine names={names} found={found.map(({ name }) => name)} onChange={setSelected} />
      <DataTable<PriceRow>
        label={t('prices.list')}
        rows={rows}
        rowKey={({ name }) => name}
        columns={columns}
        renderCard={(row) => <PriceCard row={row} draft={draft} onEdit={edit} />}
        dense
        isFaded={({ state }) => state === 'removed'}
        ticks={{
          ids: selected,
          idsOf: ({ name }) => [name],
          labelOf: ({ name }) => t('prices.select', { name }),
          onChange: setSelected,
        }}
        refreshing={false}
        error={null}
        onRetry={() => {}}
        empty={
          isFiltered ? (
            <EmptyState
              title={t('prices.empty.nothing')}
              action={
                <Button onClick={() => place.filter({ keyword: '', show: 'all' })}>{t('prices.empty.clear')}</Button>
              }
            />
          ) : (
            <EmptyState title={t('prices.empty.title')} hint={t('prices.empty.hint')} action={add} />
          )
        }
        footer={
          <Pager
            state={{ page, size: PAGE_SIZE, turn: place.pages.turn }}
            shown={rows.length}
            total={found.length}
            isFixed
          />
        }
      />
      <SaveBar draft={draft} texts={options.texts} />
      <PriceDialog target={target} draft={draft} onClose={() => setTarget(null)} />
    </>
  )
}
