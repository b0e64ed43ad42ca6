import { LOG_TYPE } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { activeFilters, type FilterChanges } from '../../../lib/filters/active-filters.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { ChoiceFilter, OptionalChoiceFilter } from '../../../ui/filters/choice-filter.tsx'
import { FilterBar } from '../../../ui/filters/filter-bar.tsx'
import { NumberFilter } from '../../../ui/filters/number-filter.tsx'
import { TimeRangeFilter } from '../../../ui/filters/time-range-filter.tsx'
import { Checkbox } from '../../../ui/kit/index.ts'
import { LOG_TYPE_NAMES } from '../list/log-type.tsx'
import { groupsQuery } from '../queries.ts'
import { NO_FILTERS, USUAL_RANGE, type LogFilters } from './log-filters.ts'

interface Props {
  filters: LogFilters
  wholeSite: boolean
  onChange(changes: FilterChanges): void
}

export function LogFilterBar(props: Props) {
  const { filters, onChange } = props
  const { t } = useTranslation('logs')
  return (
    <FilterBar
      label={t('filters.label')}
      more={t('filters.more')}
      active={activeFilters(filters, NO_FILTERS).length}
      dense
      first={
        <FilterInput
          label={t('filters.model')}
          value={filters.model}
          onChange={(model) => onChange({ model })}
          takesSlashKey
        />
      }
    >
      <OtherFilters {...props} />
    </FilterBar>
  )
}

function OtherFilters({ filters, wholeSite, onChange }: Props) {
  const { t } = useTranslation('logs')
  const navigate = useNavigate()
  const { search: list } = useLocation()
  const openRequest = (id: string) => {
    if (!FULL_REQUEST_ID.test(id)) return false
    void navigate(`/app/logs/request/${id}`, { state: { list } })
    return true
  }
  return (
    <>
      <FilterInput label={t('filters.token')} value={filters.token} onChange={(token) => onChange({ token })} />
      {wholeSite && (
        <>
          <FilterInput
            label={t('filters.username')}
            value={filters.username}
            onChange={(username) => onChange({ username })}
          />
          <NumberFilter
            label={t('filters.channel')}
            invalid={t('filters.channelInvalid')}
            value={filters.channel}
            onChange={(channel) => onChange({ channel })}
          />
        </>
      )}
      <GroupFilter filters={filters} wholeSite={wholeSite} onChange={onChange} />
      <FilterInput
        label={t('filters.request')}
        value={filters.request}
        onChange={(request) => onChange({ request })}
        onEnter={openRequest}
      />
      <ChoiceFilter
        label={t('filters.type')}
        value={filters.type}
        onChange={(type) => onChange({ type: type || null })}
        options={[
          { value: 0, label: t('types.all') },
          ...LOG_TYPE_NAMES.map((name) => ({ value: LOG_TYPE[name] as number, label: t(`types.${name}`) })),
        ]}
      />
      <TimeRangeFilter
        value={filters}
        usual={USUAL_RANGE}
        words={{
          label: t('filters.range'),
          custom: t('filters.custom'),
          from: t('filters.from'),
          to: t('filters.to'),
        }}
        nameOf={(range) => t(`ranges.${range}`)}
        onChange={onChange}
      />
      {wholeSite && (
        <Checkbox
          checked={filters.uncovered}
          onChange={(event) => onChange({ uncovered: event.target.checked ? 1 : null })}
        >
          {t('filters.uncovered')}
        </Checkbox>
      )}
    </>
  )
}

function GroupFilter({ filters, wholeSite, onChange }: Props) {
  const { t } = useTranslation('logs')
  const groups = useQuery(groupsQuery(wholeSite))
  return (
    <OptionalChoiceFilter
      label={t('filters.group')}
      searchable
      loading={groups.isPending}
      value={filters.group}
      onChange={(group) => onChange({ group })}
      options={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
    />
  )
}

/** The time to the millisecond, and eight signs of chance. */
const FULL_REQUEST_ID = /^\d{17}[A-Za-z0-9]{8}$/
