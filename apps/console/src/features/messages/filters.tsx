import { SearchOutlined } from '@ant-design/icons'
import dayjs from 'dayjs'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { Button, DatePicker, Input, type InputRef } from '../../ui/kit/index.ts'
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
  onQuery(filters: MessageFilters): void
  /** The query button was pressed without a change. */
  onSame(): void
}

/** Filters apply with the query button or Enter, as the specification demands. */
export function MessageSearch({ filters, onQuery, onSame }: Props) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState({ filters, of: filters })
  const keywordField = useSlashKey()
  // The URL has changed, for example by going back: it replaces the draft.
  if (!isSame(draft.of, filters)) setDraft({ filters, of: filters })
  const { keyword, from, to } = draft.filters
  const set = (changes: Partial<MessageFilters>) => setDraft({ ...draft, filters: { ...draft.filters, ...changes } })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const next = { ...draft.filters, keyword: keyword.trim() }
    if (isSame(next, filters)) onSame()
    else onQuery(next)
  }
  return (
    <form className={styles.search} onSubmit={submit}>
      <FilterBar
        label={t('filters.label')}
        more={common('filters.more')}
        active={(filters.keyword === '' ? 0 : 1) + (filters.from !== '' && filters.to !== '' ? 1 : 0)}
        first={
          <Input
            ref={keywordField}
            aria-label={t('filters.keyword')}
            placeholder={t('filters.keyword')}
            prefix={<SearchOutlined aria-hidden />}
            allowClear
            value={keyword}
            onChange={(event) => set({ keyword: event.target.value })}
          />
        }
      >
        <DatePicker.RangePicker
          className={styles.dates}
          aria-label={t('filters.dates')}
          placeholder={[t('filters.from'), t('filters.to')]}
          value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
          onChange={(days) => set({ from: dayOf(days?.[0]), to: dayOf(days?.[1]) })}
        />
        <Button htmlType="submit">{t('filters.query')}</Button>
        {isFiltered(filters) && (
          <Button type="link" onClick={() => onQuery(NO_FILTERS)}>
            {common('reset')}
          </Button>
        )}
      </FilterBar>
    </form>
  )
}

const isSame = (one: MessageFilters, other: MessageFilters) =>
  one.keyword === other.keyword && one.from === other.from && one.to === other.to

const dayOf = (day: dayjs.Dayjs | null | undefined) => day?.format('YYYY-MM-DD') ?? ''

/** `/` focuses the field. */
function useSlashKey() {
  const field = useRef<InputRef>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return field
}
