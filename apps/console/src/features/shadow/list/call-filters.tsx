import { SHADOW_FILTERS } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { without, type FilterChanges } from '../../../lib/active-filters.ts'
import { ChoiceFilter } from '../../../ui/filters/choice-filter.tsx'
import { FilterBar } from '../../../ui/filters/filter-bar.tsx'
import { FilterChips } from '../../../ui/filters/filter-chips.tsx'
import { Select } from '../../../ui/kit/index.ts'
import { listFilters, type ListFilter, type ShadowFilters } from '../shadow-filters.ts'
import styles from '../shadow.module.css'

interface Props {
  filters: ShadowFilters
  /** To choose from. */
  models: readonly string[]
  onChange(changes: FilterChanges): void
  /** Stands at the end of the row. */
  children?: ReactNode
}

/** What narrows the list: the model, and what became of the calls. */
export function CallFilters({ filters, models, onChange, children }: Props) {
  const { t } = useTranslation('shadow')
  const active = listFilters(filters)
  return (
    <>
      <FilterBar
        label={t('filters.label')}
        more={t('filters.more')}
        active={active.length}
        first={
          <Select<string | null>
            className={styles.modelFilter}
            aria-label={t('filters.model')}
            placeholder={t('filters.model')}
            allowClear
            showSearch
            popupMatchSelectWidth={false}
            value={filters.model || null}
            onChange={(model) => onChange({ model: model ?? null })}
            options={[...new Set([...models, ...(filters.model ? [filters.model] : [])])].map((model) => ({
              value: model,
              label: model,
            }))}
          />
        }
      >
        <ChoiceFilter
          label={t('filters.only')}
          value={filters.only}
          onChange={(only) => onChange({ only: only === 'all' ? null : only })}
          options={SHADOW_FILTERS.map((only) => ({ value: only, label: t(`only.${only}`) }))}
        />
        {children}
      </FilterBar>
      <FilterChips
        label={t('filters.active')}
        chips={active.map((key) => ({
          key,
          words: `${t(`filters.${key}`)}: ${valueOf(key)}`,
          remove: t('filters.remove', { name: t(`filters.${key}`) }),
        }))}
        onRemove={(key) => onChange(without(key))}
        onReset={() => onChange({ model: null, only: null })}
      />
    </>
  )

  function valueOf(name: ListFilter): string {
    return name === 'only' ? t(`only.${filters.only}`) : filters.model
  }
}
