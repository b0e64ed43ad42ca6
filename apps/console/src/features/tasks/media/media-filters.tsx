import { useTranslation } from 'react-i18next'
import type { FilterChanges } from '../../../lib/active-filters.ts'
import type { TaskFilters } from '../task-filters.ts'
import { statusName } from '../task-status.tsx'
import { OptionalChoiceFilter } from '../../../ui/filters/choice-filter.tsx'
import { usePlatformName } from './media-tags.tsx'
import { FILTERS } from './queries.ts'

interface Props {
  filters: TaskFilters
  onChange(changes: FilterChanges): void
}

/** What songs and videos can be told apart by, and drawings not. */
export function MediaFilters({ filters, onChange }: Props) {
  const { t } = useTranslation('mediaTasks')
  const { t: shared } = useTranslation('tasks')
  const platformName = usePlatformName()
  return (
    <>
      <OptionalChoiceFilter
        label={t('filters.platform')}
        wide
        value={filters.platform}
        onChange={(platform) => onChange({ platform })}
        options={FILTERS.platforms.map((platform) => ({ value: platform, label: platformName(platform) }))}
      />
      <OptionalChoiceFilter
        label={t('filters.status')}
        wide
        value={filters.status}
        onChange={(status) => onChange({ status })}
        options={FILTERS.statuses.map((status) => ({ value: status, label: shared(`statuses.${statusName(status)}`) }))}
      />
    </>
  )
}
