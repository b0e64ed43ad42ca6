import { PRICE_SOURCES, type PriceSource } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { Button, Checkbox, Modal, Radio } from '../../ui/kit/index.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { pageOf, useLocalPages } from '../../ui/table/use-local-pages.ts'
import { enabledModelsQuery, pricePresetQuery } from './api.ts'
import { presetDiff, type DiffRow, type PresetDiff } from './preset-diff.ts'
import { FIGURES, priceNameOf, type Draft, type PriceList } from './price-list.ts'
import styles from './prices.module.css'

interface Props {
  open: boolean
  stored: PriceList
  draft: Draft
  onClose(): void
  onApply(rows: DiffRow[]): void
}

/** Compares a built-in price list with the current prices. Selected rows go to the draft. */
export function PresetDialog({ open, stored, draft, onClose, onApply }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [source, setSource] = useState<PriceSource>('flexible')
  const [chosen, setChosen] = useState<DiffRow[]>([])
  const preset = useQuery({ ...pricePresetQuery(source), enabled: open })
  const enabled = useQuery({ ...enabledModelsQuery, enabled: open })
  const offered = useMemo(() => enabled.data && new Set(enabled.data.map(priceNameOf)), [enabled.data])
  const now = useMemo((): PriceList => {
    const merged = new Map([...stored, ...draft])
    return new Map([...merged].flatMap(([name, prices]) => (prices ? [[name, prices] as const] : [])))
  }, [stored, draft])
  const diff = useMemo(() => preset.data && presetDiff(preset.data, now), [preset.data, now])
  const isReady = preset.data !== undefined && !enabled.isPending
  return (
    <Modal
      title={t('prices.preset.title')}
      open={open}
      onCancel={onClose}
      width={860}
      destroyOnHidden
      footer={
        <div className={styles.dialogFoot}>
          <output className="secondary">{t('prices.preset.selected', { count: chosen.length })}</output>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="primary"
            disabled={!isReady}
            onClick={() => (chosen.length === 0 ? toast.info(t('prices.preset.needsSelection')) : onApply(chosen))}
          >
            {t('prices.preset.apply')}
          </Button>
        </div>
      }
    >
      <Radio.Group
        aria-label={t('prices.preset.source')}
        optionType="button"
        className={styles.sources}
        value={source}
        onChange={(event) => setSource(event.target.value as PriceSource)}
        options={PRICE_SOURCES.map((known) => ({ value: known, label: t(`prices.preset.sources.${known}`) }))}
      />
      <p className={styles.lead}>
        {t(`prices.preset.hints.${source}`)}{' '}
        {preset.data && t('prices.preset.version', { version: preset.data.version })}
      </p>
      {preset.error && !preset.data ? (
        <LoadError
          title={t('prices.preset.failed')}
          error={preset.error}
          retrying={preset.isFetching}
          onRetry={preset.refetch}
        />
      ) : (
        <DiffList key={source} diff={isReady ? diff : undefined} offered={offered} onChoose={setChosen} />
      )}
    </Modal>
  )
}

interface ListProps {
  /** Undefined while it is loading. */
  diff: PresetDiff | undefined
  /** Names of offered models, if known. */
  offered: ReadonlySet<string> | undefined
  onChoose(rows: DiffRow[]): void
}

/** New models are selected at first, because they overwrite nothing. */
function DiffList({ diff, offered, onChoose }: ListProps) {
  const { t } = useTranslation('settings')
  const [isAll, setIsAll] = useState(false)
  const [keyword, setKeyword] = useState('')
  /** Null until the user changes the selection. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const pages = useLocalPages()
  const takesAll = isAll || !offered || offered.size === 0
  const rows = useMemo(
    () => diff?.rows.filter(({ name }) => takesAll || offered.has(name)) ?? [],
    [diff, takesAll, offered],
  )
  const same = diff?.unchanged.filter((name) => takesAll || offered.has(name)).length
  const names = useMemo(
    () => selected ?? new Set(rows.filter(({ before }) => !before).map(({ name }) => name)),
    [selected, rows],
  )
  useEffect(() => onChoose(rows.filter(({ name }) => names.has(name))), [rows, names, onChoose])

  const found = rows.filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()))
  const { page, rows: shown } = pageOf(found, pages)
  const added = rows.filter(({ before }) => !before).length
  return (
    <>
      <div className={styles.tools}>
        <FilterInput label={t('prices.search')} value={keyword} onChange={setKeyword} />
        <Checkbox
          checked={!takesAll}
          disabled={!offered || offered.size === 0}
          onChange={(event) => {
            setIsAll(!event.target.checked)
            setSelected(null)
          }}
        >
          {t('prices.preset.onlyOffered')}
        </Checkbox>
      </div>
      {diff && (
        <p className={styles.lead}>
          {t('prices.preset.sum', { added, changed: rows.length - added, same })}
          {rows.length > added && ` ${t('prices.preset.careful')}`}
          <span className={styles.links}>
            <Button
              size="small"
              type="link"
              onClick={() => setSelected(new Set([...names, ...found.map(({ name }) => name)]))}
            >
              {t('prices.preset.selectAll')}
            </Button>
            <Button size="small" type="link" onClick={() => setSelected(new Set())}>
              {t('prices.preset.selectNone')}
            </Button>
          </span>
        </p>
      )}
      <DataTable<DiffRow>
        label={t('prices.preset.list')}
        rows={diff && shown}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: t('prices.columns.name'),
            render: (_, { name }) => <span className="mono">{name}</span>,
          },
          { key: 'kind', title: t('prices.preset.kind'), render: (_, row) => <DiffKind row={row} /> },
          { key: 'figures', title: t('prices.preset.figures'), render: (_, row) => <DiffFigures row={row} /> },
        ]}
        renderCard={(row) => (
          <RowCard title={<span className="mono">{row.name}</span>} aside={<DiffKind row={row} />}>
            <DiffFigures row={row} />
          </RowCard>
        )}
        selection={{
          ids: names,
          idsOf: ({ name }) => [name],
          labelOf: ({ name }) => t('prices.select', { name }),
          onChange: setSelected,
        }}
        refreshing={false}
        empty={
          rows.length === 0 ? (
            <EmptyState
              title={t('prices.preset.nothing')}
              hint={t('prices.preset.nothingHint')}
              guide="guides/price-models#import-the-price-list"
            />
          ) : (
            <EmptyState title={t('prices.preset.nothingFound')} />
          )
        }
        footer={<Pager state={{ ...pages, page }} shown={shown.length} total={found.length} isFixed />}
      />
    </>
  )
}

function DiffKind({ row: { before } }: { row: DiffRow }) {
  const { t } = useTranslation('settings')
  return (
    <StatusTag tone={before ? 'warn' : 'good'}>
      {t(before ? 'prices.preset.kinds.changed' : 'prices.preset.kinds.new')}
    </StatusTag>
  )
}

function DiffFigures({ row: { before, after } }: { row: DiffRow }) {
  const { t } = useTranslation('settings')
  return (
    <ul className={styles.diff}>
      {FIGURES.filter((figure) => before?.[figure] !== after[figure]).map((figure) => (
        <li key={figure}>
          <span className="secondary">{t(`prices.figures.${figure}`)}</span>{' '}
          <span className="number">
            {before?.[figure] ?? t('prices.preset.notSet')} →{' '}
            <strong>{after[figure] ?? t('prices.preset.removed')}</strong>
          </span>
        </li>
      ))}
    </ul>
  )
}
