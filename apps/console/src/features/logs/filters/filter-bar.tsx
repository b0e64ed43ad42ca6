import { DownOutlined } from '@ant-design/icons'
import { LOG_TYPE } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { Badge, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { toast } from '../../../lib/toast.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { LOG_TYPE_NAMES } from '../list/log-type.tsx'
import styles from './filters.module.css'
import { groupsQuery } from '../queries.ts'
import { CustomRange } from './custom-range.tsx'
import { activeFilters, DEFAULT_RANGE, RANGES, type LogFilters, type RangeName } from './log-filters.ts'

interface Props {
  filters: LogFilters
  wholeSite: boolean
  onChange(changes: Record<string, string | number | null>): void
}

/** Search first, the rest in one wrapping row; on a phone the rest unfolds. */
export function FilterBar(props: Props) {
  const { filters, onChange } = props
  const { t } = useTranslation('logs')
  const isPhone = useIsPhone()
  const [open, setOpen] = useState(false)
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.model')}
        value={filters.model}
        onChange={(model) => onChange({ model })}
        takesSlashKey
      />
      {isPhone && (
        <Badge count={activeFilters(filters).length} size="small">
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('filters.more')} <DownOutlined aria-hidden rotate={open ? 180 : 0} />
          </Button>
        </Badge>
      )}
      {(open || !isPhone) && <OtherFilters {...props} />}
    </search>
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
  const chooseChannel = (channel: string) => {
    const isId = channel === '' || /^\d{1,15}$/.test(channel)
    if (isId) onChange({ channel })
    else toast.error(t('filters.channelInvalid'))
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
          <FilterInput
            label={t('filters.channel')}
            value={filters.channel === null ? '' : String(filters.channel)}
            onChange={chooseChannel}
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
      <Select
        aria-label={t('filters.type')}
        className={styles.choice}
        value={filters.type}
        onChange={(type: number) => onChange({ type: type || null })}
        options={[
          { value: 0, label: t('types.all') },
          ...LOG_TYPE_NAMES.map((name) => ({ value: LOG_TYPE[name] as number, label: t(`types.${name}`) })),
        ]}
      />
      <Select
        aria-label={t('filters.range')}
        className={styles.choice}
        value={filters.range}
        onChange={(range: RangeName) =>
          onChange({ range: range === DEFAULT_RANGE ? null : range, start: null, end: null })
        }
        options={RANGES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
      />
      {filters.range === 'custom' && (
        <CustomRange start={filters.start} end={filters.end} onChange={(start, end) => onChange({ start, end })} />
      )}
    </>
  )
}

function GroupFilter({ filters, wholeSite, onChange }: Props) {
  const { t } = useTranslation('logs')
  const groups = useQuery(groupsQuery(wholeSite))
  return (
    <Select
      aria-label={t('filters.group')}
      className={styles.choice}
      placeholder={t('filters.group')}
      allowClear
      showSearch
      loading={groups.isPending}
      value={filters.group || null}
      onChange={(group?: string) => onChange({ group: group ?? null })}
      options={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
    />
  )
}

/** The time to the millisecond, and eight signs of chance. */
const FULL_REQUEST_ID = /^\d{17}[A-Za-z0-9]{8}$/
