import { ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../lib/group-names.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button, Select } from '../../../ui/kit/index.ts'
import { isFiltered, NO_FILTERS, type UserFilters } from '../user-filters.ts'
import styles from '../users.module.css'

interface Props {
  filters: UserFilters
  /** Only what changed: the rest may have changed meanwhile. */
  onChange(changes: Partial<UserFilters>): void
  onRefresh(): void
  refreshing: boolean
}

export function FilterBar({ filters, onChange, onRefresh, refreshing }: Props) {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const groups = useQuery(groupNamesQuery)
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.keyword')}
        value={filters.keyword}
        onChange={(keyword) => onChange({ keyword })}
        takesSlashKey
      />
      <Select
        className={styles.groupFilter}
        aria-label={t('filters.group')}
        placeholder={t('filters.group')}
        allowClear
        showSearch
        loading={groups.isPending}
        value={filters.group || null}
        onChange={(group?: string) => onChange({ group: group ?? '' })}
        options={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
      />
      <span className={styles.filterButtons}>
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
        {isFiltered(filters) && (
          <Button type="link" onClick={() => onChange(NO_FILTERS)}>
            {common('reset')}
          </Button>
        )}
      </span>
    </search>
  )
}
