import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { Button, DatePicker } from '../../ui/kit/index.ts'
import styles from './messages.module.css'

/** Days are written `2026-11-15`, blank if not set. */
export interface MessageFilters {
  keyword: string
  from: string
  to: string
}

export const NO_FILTERS: MessageFilters = { keyword: '', from: '', to: '' }

export function readFilters(search: URLSearchParams): MessageFilters {
  return { keyword: (search.get('keyword') ?? '').trim(), from: dayIn(search.get('from')), to: dayIn(search.get('to')) }
}

export const isFiltered = ({ keyword, from, to }: MessageFilters): boolean =>
  keyword !== '' || (from !== '' && to !== '')

/** Query parameters. Dates are sent only as a pair, as days of the browser's time zone. */
export function filterQuery({ keyword, from, to }: MessageFilters): Record<string, string> {
  return {
    ...(keyword && { keyword }),
    ...(from &&
      to && {
        start_date: dayjs(from).startOf('day').toISOString(),
        end_date: dayjs(to).endOf('day').toISOString(),
      }),
  }
}

function dayIn(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayjs(text).isValid() ? text : ''
}

interface Props {
  filters: MessageFilters
  onChange(filters: MessageFilters): void
  onReload(): void
}

/** Filters apply immediately. The query button, which the specification requires, loads the list again. */
export function MessageSearch({ filters, onChange, onReload }: Props) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const { keyword, from, to } = filters
  return (
    <FilterBar
      label={t('filters.label')}
      more={common('filters.more')}
      active={(keyword === '' ? 0 : 1) + (from !== '' && to !== '' ? 1 : 0)}
      first={
        <FilterInput
          label={t('filters.keyword')}
          value={keyword}
          onChange={(next) => onChange({ ...filters, keyword: next })}
          takesSlashKey
        />
      }
    >
      <DatePicker.RangePicker
        className={styles.dates}
        aria-label={t('filters.dates')}
        placeholder={[t('filters.from'), t('filters.to')]}
        value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
        onChange={(days) => onChange({ ...filters, from: dayOf(days?.[0]), to: dayOf(days?.[1]) })}
      />
      <Button onClick={onReload}>{t('filters.query')}</Button>
      {isFiltered(filters) && (
        <Button type="link" onClick={() => onChange(NO_FILTERS)}>
          {common('reset')}
        </Button>
      )}
    </FilterBar>
  )
}

const dayOf = (day: dayjs.Dayjs | null | undefined) => day?.format('YYYY-MM-DD') ?? ''
