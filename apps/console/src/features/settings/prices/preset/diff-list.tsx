import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterInput } from '../../../../ui/filter-input.tsx'
import { Button, Checkbox } from '../../../../ui/kit/index.ts'
import { Pager } from '../../../../ui/pager.tsx'
import { RowCard } from '../../../../ui/row-card.tsx'
import styles from '../prices.module.css'
import { pageOf, useLocalPages } from '../use-local-pages.ts'
import { DiffFigures, DiffKind } from './diff-cells.tsx'
import type { DiffRow, PresetDiff } from './preset-diff.ts'

interface Props {
  /** Missing while it is being read. */
  diff: PresetDiff | undefined
  /** Names that this site offers, where they are known. */
  offered: ReadonlySet<string> | undefined
  /** Told what is ticked, now and whenever that changes. */
  onChoose(rows: DiffRow[]): void
}

/** What differs, each with a box. Models that have no price yet are ticked: nothing is lost by taking them. */
export function DiffList({ diff, offered, onChoose }: Props) {
  const { t } = useTranslation('settings')
  const [isAll, setIsAll] = useState(false)
  const [keyword, setKeyword] = useState('')
  /** Null until somebody ticks. */
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null)
  const pages = useLocalPages()
  const takesAll = isAll || !offered || offered.size === 0
  const rows = useMemo(
    () => diff?.rows.filter(({ name }) => takesAll || offered.has(name)) ?? [],
    [diff, takesAll, offered],
  )
  const same = diff?.unchanged.filter((name) => takesAll || offered.has(name)).length
  const names = useMemo(
    () => ticked ?? new Set(rows.filter(({ before }) => !before).map(({ name }) => name)),
    [ticked, rows],
  )
  useEffect(() => onChoose(rows.filter(({ name }) => names.has(name))), [rows, names, onChoose])

  const found = rows.filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()))
  const { page, rows: shown } = pageOf(found, pages)
  const added = rows.filter(({ before }) => !before).length
  return (
    <>
      <div className={styles.filters}>
        <FilterInput label={t('prices.search')} value={keyword} onChange={setKeyword} />
        <Checkbox
          checked={!takesAll}
          disabled={!offered || offered.size === 0}
          onChange={(event) => {
            setIsAll(!event.target.checked)
            setTicked(null)
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
              onClick={() => setTicked(new Set([...names, ...found.map(({ name }) => name)]))}
            >
              {t('prices.preset.selectAll')}
            </Button>
            <Button size="small" type="link" onClick={() => setTicked(new Set())}>
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
            render: (_, { name }) => <span className={`mono ${styles.name}`}>{name}</span>,
          },
          { key: 'kind', title: t('prices.preset.kind'), render: (_, row) => <DiffKind row={row} /> },
          { key: 'figures', title: t('prices.preset.figures'), render: (_, row) => <DiffFigures row={row} /> },
        ]}
        renderCard={(row) => (
          <RowCard title={<span className="mono">{row.name}</span>} aside={<DiffKind row={row} />}>
            <DiffFigures row={row} />
          </RowCard>
        )}
        ticks={{
          ids: names,
          idsOf: ({ name }) => [name],
          labelOf: ({ name }) => t('prices.select', { name }),
          onChange: setTicked,
        }}
        refreshing={false}
        error={null}
        onRetry={() => {}}
        empty={
          rows.length === 0 ? (
            <EmptyState title={t('prices.preset.nothing')} hint={t('prices.preset.nothingHint')} />
          ) : (
            <EmptyState title={t('prices.preset.nothingFound')} />
          )
        }
        footer={<Pager state={{ ...pages, page }} shown={shown.length} total={found.length} isFixed />}
      />
    </>
  )
}
