import { LOG_TYPE } from '@tidegate/contract/api'
import { Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/use-url-state.ts'
import { FilterInput } from '../../ui/filter-input.tsx'
import { CustomRange } from './custom-range.tsx'
import { DEFAULT_RANGE, isFiltered, RANGES, type LogFilters, type RangeName } from './log-filters.ts'
import { LOG_TYPE_NAMES } from './log-type.tsx'
import styles from './logs.module.css'

interface Props {
  filters: LogFilters
  wholeSite: boolean
}

/** Search first, the rest in one wrapping row. Every change lands in the address and goes back to the first page. */
export function FilterBar({ filters, wholeSite }: Props) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const { change } = useUrlState()
  const set = (changes: Record<string, string | number | null>) => change({ ...changes, page: null })
  const chooseRange = (range: RangeName) =>
    set({ range: range === DEFAULT_RANGE ? null : range, start: null, end: null })
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.model')}
        value={filters.model}
        onChange={(model) => set({ model })}
        takesSlashKey
      />
      <FilterInput label={t('filters.token')} value={filters.token} onChange={(token) => set({ token })} />
      {wholeSite && (
        <FilterInput
          label={t('filters.username')}
          value={filters.username}
          onChange={(username) => set({ username })}
        />
      )}
      <Select
        aria-label={t('filters.type')}
        className={styles.choice}
        value={filters.type}
        onChange={(type: number) => set({ type: type || null })}
        options={[
          { value: 0, label: t('types.all') },
          ...LOG_TYPE_NAMES.map((name) => ({ value: LOG_TYPE[name] as number, label: t(`types.${name}`) })),
        ]}
      />
      <Select
        aria-label={t('filters.range')}
        className={styles.choice}
        value={filters.range}
        onChange={chooseRange}
        options={RANGES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
      />
      {filters.range === 'custom' && (
        <CustomRange start={filters.start} end={filters.end} onChange={(start, end) => set({ start, end })} />
      )}
      {isFiltered(filters) && (
        <Button
          type="link"
          onClick={() =>
            set({ model: null, token: null, username: null, type: null, range: null, start: null, end: null })
          }
        >
          {common('reset')}
        </Button>
      )}
    </search>
  )
}
