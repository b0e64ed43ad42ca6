import { SearchOutlined } from '@ant-design/icons'
import { CHANNEL_STATUS, CHANNEL_TYPE_LIST } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../lib/group-names.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button, Select } from '../../../ui/kit/index.ts'
import { MultiFilter } from '../../../ui/multi-filter.tsx'
import { typeName } from '../channel-type-name.ts'
import styles from '../channels.module.css'
import { channelTagsQuery } from '../queries.ts'
import { isFiltered, NO_FILTERS, type ChannelFilters } from './channel-filters.ts'

interface Props {
  filters: ChannelFilters
  /** Only what changed: the rest may have changed meanwhile. */
  onChange(changes: Partial<ChannelFilters>): void
  /** Asks again for what the filters say. */
  onQuery(): void
  querying: boolean
}

export function FilterBar({ filters, onChange, onQuery, querying }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const groups = useQuery(groupNamesQuery)
  const tags = useQuery(channelTagsQuery)
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.keyword')}
        value={filters.keyword}
        onChange={(keyword) => onChange({ keyword })}
        takesSlashKey
      />
      <FilterInput label={t('filters.model')} value={filters.model} onChange={(model) => onChange({ model })} />
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
      <MultiFilter
        label={t('filters.types')}
        value={filters.types}
        onChange={(types) => onChange({ types })}
        options={CHANNEL_TYPE_LIST.map(({ type }) => ({ value: type, label: typeName(type, t) }))}
      />
      <MultiFilter
        label={t('filters.statuses')}
        value={filters.statuses}
        onChange={(statuses) => onChange({ statuses })}
        options={(['enabled', 'disabled', 'autoDisabled'] as const).map((status) => ({
          value: CHANNEL_STATUS[status] as number,
          label: t(`status.${status}`),
        }))}
      />
      <MultiFilter
        label={t('filters.tags')}
        value={filters.tags}
        onChange={(chosen) => onChange({ tags: chosen })}
        loading={tags.isPending}
        options={(tags.data ?? []).map((tag) => ({ value: tag, label: tag }))}
      />
      <span className={styles.filterButtons}>
        <Button icon={<SearchOutlined aria-hidden />} loading={querying} onClick={onQuery}>
          {t('filters.query')}
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
