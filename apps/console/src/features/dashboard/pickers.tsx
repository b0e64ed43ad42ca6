import dayjs from 'dayjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../lib/use-debounced.ts'
import { DatePicker, Select } from '../../ui/kit/index.ts'
import { usernamesQuery } from './api.ts'
import styles from './dashboard.module.css'
import type { Span } from './view.ts'

interface RangeProps {
  span: Span
  onChange(range: { start: number | null; end: number | null }): void
}

/** Start and end of a custom range, not in the future. */
export function CustomRange({ span, onChange }: RangeProps) {
  const { t } = useTranslation('dashboard')
  return (
    <DatePicker.RangePicker
      aria-label={t('filters.custom')}
      className={styles.customRange}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowClear={false}
      placeholder={[t('filters.from'), t('filters.to')]}
      disabledDate={(day) => day.isAfter(dayjs(), 'day')}
      value={[dayjs.unix(span.start), dayjs.unix(span.end)]}
      onChange={(times) => onChange({ start: times?.[0]?.unix() ?? null, end: times?.[1]?.unix() ?? null })}
    />
  )
}

interface UserProps {
  username: string
  onChange(username: string): void
}

/** Selects a user by a part of the name. */
export function UserPicker({ username, onChange }: UserProps) {
  const { t } = useTranslation('dashboard')
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed.trim(), 250)
  const users = useQuery(usernamesQuery(keyword))
  const found = keyword === '' ? [] : (users.data ?? [])
  return (
    <Select
      className={styles.userPicker}
      aria-label={t('filters.user')}
      placeholder={t('filters.user')}
      showSearch={{ searchValue: typed, onSearch: setTyped, filterOption: false }}
      loading={users.isFetching}
      notFoundContent={notFound()}
      value={username || null}
      onChange={(chosen: string | null) => {
        setTyped('')
        onChange(chosen ?? '')
      }}
      options={[...new Set([...found, ...(username ? [username] : [])])].map((name) => ({ value: name, label: name }))}
    />
  )

  function notFound() {
    if (keyword === '') return t('filters.userHint')
    return users.isFetching ? null : t('filters.noUsers')
  }
}
