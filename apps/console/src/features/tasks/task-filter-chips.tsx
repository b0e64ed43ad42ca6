import { useTranslation } from 'react-i18next'
import { FilterChips } from '../../ui/filters/filter-chips.tsx'
import { activeFilters, without, withoutAll, type FilterChanges, type FilterName } from '../../lib/active-filters.ts'
import { rangeInWords } from '../../lib/time-range.ts'
import { noFilters, type FilterRules, type TaskFilters } from './task-filters.ts'
import { statusName } from './task-status.tsx'

interface Props {
  filters: TaskFilters
  rules: FilterRules
  platformName(platform: string): string
  onChange(changes: FilterChanges): void
}

export function TaskFilterChips({ filters, rules, platformName, onChange }: Props) {
  const { t } = useTranslation('tasks')
  const none = noFilters(rules)
  return (
    <FilterChips
      label={t('filters.active')}
      chips={activeFilters(filters, none).map((key) => ({
        key,
        words: `${t(`chips.${key}`)}: ${valueOf(key)}`,
        remove: t('filters.remove', { name: t(`chips.${key}`) }),
      }))}
      onRemove={(key) => onChange(without(key))}
      onReset={() => onChange(withoutAll(none))}
    />
  )

  function valueOf(name: FilterName<TaskFilters>): string {
    if (name === 'platform') return platformName(filters.platform)
    if (name === 'status') return t(`statuses.${statusName(filters.status)}`)
    if (name === 'range') return rangeInWords(filters, (range) => t(`ranges.${range}`))
    return String(filters[name])
  }
}
