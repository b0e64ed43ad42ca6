import { useTranslation } from 'react-i18next'
import {
  activeFilters,
  without,
  withoutAll,
  type FilterChanges,
  type FilterName,
} from '../../../lib/filters/active-filters.ts'
import { rangeInWords } from '../../../lib/filters/time-range.ts'
import { FilterChips } from '../../../ui/filters/filter-chips.tsx'
import { logTypeName } from '../list/log-type.tsx'
import { NO_FILTERS, type LogFilters } from './log-filters.ts'

interface Props {
  filters: LogFilters
  onChange(changes: FilterChanges): void
}

export function LogFilterChips({ filters, onChange }: Props) {
  const { t } = useTranslation('logs')
  return (
    <FilterChips
      label={t('filters.active')}
      chips={activeFilters(filters, NO_FILTERS).map((key) => ({
        key,
        words: `${t(`chips.${key}`)}: ${valueOf(key)}`,
        remove: t('filters.remove', { name: t(`chips.${key}`) }),
      }))}
      onRemove={(key) => onChange(without(key))}
      onReset={() => onChange(withoutAll(NO_FILTERS))}
    />
  )

  function valueOf(name: FilterName<LogFilters>): string {
    if (name === 'type') return t(`types.${logTypeName(filters.type)}`)
    if (name === 'uncovered') return t('values.yes')
    if (name === 'range') return rangeInWords(filters, (range) => t(`ranges.${range}`))
    return String(filters[name])
  }
}
