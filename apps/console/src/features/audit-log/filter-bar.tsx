import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/url-state.ts'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { Button, DatePicker } from '../../ui/kit/index.ts'
import { ActionFilter } from './action-filter.tsx'
import { ActorFilter, type Person } from './actor-filter.tsx'
import { isFiltered, NO_FILTERS, type AuditFilters } from './audit-filters.ts'
import styles from './audit.module.css'

interface Props {
  filters: AuditFilters
  seen: readonly Person[]
}

/** Every change lands in the address and goes back to the first page. */
export function FilterBar({ filters, seen }: Props) {
  const { t } = useTranslation('audit')
  const { t: common } = useTranslation()
  const { change } = useUrlState()
  const set = (changes: Partial<AuditFilters>) => change({ ...changes, page: null })
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.subject')}
        value={filters.subject}
        onChange={(subject) => set({ subject })}
        takesSlashKey
      />
      <ActorFilter actor={filters.actor} seen={seen} onChange={(actor) => set({ actor })} />
      <ActionFilter action={filters.action} onChange={(action) => set({ action })} />
      {(['start', 'end'] as const).map((side) => (
        <DatePicker
          key={side}
          className={styles.time}
          aria-label={t(`filters.${side}`)}
          placeholder={t(`filters.${side}`)}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          value={filters[side] === null ? null : dayjs.unix(filters[side])}
          onChange={(time) => set({ [side]: time?.unix() ?? null })}
        />
      ))}
      {isFiltered(filters) && (
        <Button type="link" onClick={() => set(NO_FILTERS)}>
          {common('reset')}
        </Button>
      )}
    </search>
  )
}
