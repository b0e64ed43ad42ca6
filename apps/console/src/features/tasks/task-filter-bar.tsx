import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { NumberFilter } from '../../ui/filters/number-filter.tsx'
import { rangeFilter } from '../../ui/filters/define-filters.ts'
import { TimeRangeFilter } from '../../ui/filters/time-range-filter.tsx'
import { activeFilters, type FilterChanges } from '../../lib/active-filters.ts'
import { noFilters, type FilterRules, type TaskFilters } from './task-filters.ts'

interface Props {
  filters: TaskFilters
  rules: FilterRules
  wholeSite: boolean
  /** Filters of this list alone. */
  more?: ReactNode
  onChange(changes: FilterChanges): void
}

export function TaskFilterBar({ filters, rules, wholeSite, more, onChange }: Props) {
  const { t } = useTranslation('tasks')
  return (
    <FilterBar
      label={t('filters.label')}
      more={t('filters.label')}
      active={activeFilters(filters, noFilters(rules)).length}
      first={
        <FilterInput
          label={t('filters.task')}
          value={filters.task}
          onChange={(task) => onChange({ task })}
          takesSlashKey
        />
      }
    >
      {more}
      {wholeSite && (
        <NumberFilter
          label={t('filters.channel')}
          invalid={t('filters.channelInvalid')}
          value={filters.channel}
          onChange={(channel) => onChange({ channel })}
        />
      )}
      <TimeRangeFilter
        value={filters}
        words={{
          label: t('filters.range'),
          custom: t('ranges.custom'),
          from: t('filters.from'),
          to: t('filters.to'),
        }}
        nameOf={(range) => t(`ranges.${range}`)}
        onChange={(value) => onChange(rangeFilter(rules.usualRange).write(value, 'range'))}
      />
    </FilterBar>
  )
}
