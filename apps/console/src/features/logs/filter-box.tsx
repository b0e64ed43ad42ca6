import { SearchOutlined } from '@ant-design/icons'
import { LOG_TYPE, REQUEST_STATUSES, type LogFacets } from '@tidegate/contract/api'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AutoComplete, Input, type GetRef } from '../../ui/kit/index.ts'
import { ActiveFilters } from '../../ui/filters/filters.tsx'
import { parseFilterText, REQUEST_ID, toggleValue, type LogFilters, type LogFilterState } from './filters.ts'
import styles from './logs.module.css'
import { isBuiltInView } from './saved-views.tsx'
import { LOG_TYPE_NAMES } from './state-mark.tsx'

interface Props {
  filters: LogFilterState
  facets: LogFacets | undefined
  onOpenRequest(id: string): void
}

interface Suggestion {
  value: string
  label: string
  changes: Partial<LogFilters>
}

const MAX_SUGGESTIONS = 10

/** One field for all filters: `status:error model:gpt-4o`, a part of a model name, or a request ID. */
export function FilterBox({ filters, facets, onOpenRequest }: Props) {
  const { t } = useTranslation('logs')
  const [text, setText] = useState('')
  const field = useRef<GetRef<typeof AutoComplete>>(null)
  const selected = useRef(false)
  useSlashKey(() => field.current?.focus())
  const suggestions = text.trim() === '' ? [] : suggestionsFor(text.trim())
  const apply = (changes: Partial<LogFilters>) => {
    filters.set(changes)
    setText('')
  }
  const change = (typed: string) => {
    const isId = REQUEST_ID.test(typed.trim())
    setText(isId ? '' : typed)
    if (isId) onOpenRequest(typed.trim())
  }
  return (
    <AutoComplete
      ref={field}
      className={styles.filterBox}
      value={text}
      options={suggestions}
      onChange={change}
      onSelect={(value: string) => {
        selected.current = true
        apply(suggestions.find((known) => known.value === value)?.changes ?? {})
      }}
      defaultActiveFirstOption={false}
    >
      <Input
        aria-label={t('filterBox.label')}
        placeholder={t('filterBox.placeholder')}
        prefix={<SearchOutlined aria-hidden />}
        suffix={text === '' ? <kbd className={styles.key}>/</kbd> : undefined}
        onPressEnter={() => {
          selected.current = false
          // Enter on a suggestion selects it, and the component reports that after this event.
          setTimeout(() => {
            if (!selected.current && text.trim() !== '') apply(parseFilterText(text, facets))
          })
        }}
      />
    </AutoComplete>
  )

  function suggestionsFor(typed: string): Suggestion[] {
    const [, key = '', rest = typed] = /^(\w+):"?(.*)$/.exec(typed) ?? []
    const matches = (name: string) => name.toLowerCase().includes(rest.toLowerCase())
    const isFor = (name: string) => key === '' || name.startsWith(key.toLowerCase())
    const { model, username, channel } = filters.values
    const all: Suggestion[] = [
      ...REQUEST_STATUSES.map((status) =>
        suggestion('status', status, t(`state.${status}`), { status: toggleValue([], status) }),
      ),
      ...values('model').map(({ value, name }) =>
        suggestion('model', value, name, { model: toggleValue(model, value) }),
      ),
      ...values('user').map(({ value, name }) =>
        suggestion('user', value, name, { username: toggleValue(username, value) }),
      ),
      ...values('channel').map(({ value, name }) =>
        suggestion('channel', value, name || `#${value}`, { channel: toggleValue(channel, value) }),
      ),
      ...values('token').map(({ value, name }) => suggestion('token', value, name, { token: value })),
      ...values('error_code').map(({ value }) =>
        suggestion('error', value, value, { error: toggleValue(filters.values.error, value) }),
      ),
      ...values('group').map(({ value, name }) => suggestion('group', value, name, { group: value })),
      suggestion('type', 'all', t('types.all'), { type: 0 }),
      ...LOG_TYPE_NAMES.map((name) => suggestion('type', name, t(`types.${name}`), { type: LOG_TYPE[name] })),
    ]
    return all
      .filter(
        ({ value, label }) =>
          isFor(value.slice(0, value.indexOf(':'))) && (matches(value.slice(value.indexOf(':') + 1)) || matches(label)),
      )
      .slice(0, MAX_SUGGESTIONS)
  }

  function values(name: 'model' | 'user' | 'channel' | 'token' | 'group' | 'error_code') {
    return facets?.[name]?.values.filter(({ value }) => value !== '') ?? []
  }
}

const suggestion = (key: string, value: string, name: string, changes: Partial<LogFilters>): Suggestion => ({
  value: `${key}:${value}`,
  label: `${key}: ${name}`,
  changes,
})

/** `/` moves the focus to the filter box, unless the user is typing. */
function useSlashKey(focus: () => void) {
  const latest = useRef(focus)
  useEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

export const isTyping = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]'))

interface ChipsProps {
  /** The facets are beside the list. */
  hasFacets: boolean
}

/** The active filters without a visible control as chips: facets and views show theirs. */
export function LogFilterChips({ filters, facets, hasFacets }: Pick<Props, 'filters' | 'facets'> & ChipsProps) {
  const { t } = useTranslation('logs')
  const yesNo = ['true', 'false'].map((value) => ({ value, label: t(value === 'true' ? 'values.yes' : 'values.no') }))
  const range = filters.values.range.range === 'custom' ? { label: t('chips.range') } : undefined
  const others = { request: { label: t('chips.request') }, range } // named ranges are visible in the page header
  const isShown = hasFacets || isBuiltInView(filters.values)
  return <ActiveFilters filters={filters} fields={{ ...facetFields(isShown), ...others }} />

  function facetFields(areShown: boolean) {
    const fields = {
      status: {
        label: t('facets.status'),
        options: REQUEST_STATUSES.map((value) => ({ value, label: t(`state.${value}`) })),
      },
      model: { label: t('chips.model') },
      username: { label: t('chips.username') },
      token: { label: t('chips.token') },
      channel: {
        label: t('chips.channel'),
        options: (facets?.channel?.values ?? []).map(({ value, name }) => ({ value, label: name || `#${value}` })),
      },
      error: { label: t('facets.error_code') },
      group: { label: t('chips.group') },
      stream: { label: t('facets.stream'), options: yesNo },
      retried: { label: t('facets.retried'), options: yesNo },
      slower: {
        label: t('facets.slower'),
        options: [{ value: String(filters.values.slower), label: slowerText(filters.values.slower) }],
      },
      type: {
        label: t('chips.type'),
        options: [
          { value: '0', label: t('types.all') },
          ...LOG_TYPE_NAMES.map((name) => ({ value: String(LOG_TYPE[name]), label: t(`types.${name}`) })),
        ],
      },
      uncovered: { label: t('chips.uncovered') },
    }
    const none = Object.fromEntries(Object.keys(fields).map((name) => [name, undefined]))
    return areShown ? (none as Record<keyof typeof fields, undefined>) : fields
  }

  function slowerText(milliseconds: number | null): string {
    return t('facets.over', { seconds: (milliseconds ?? 0) / 1000 })
  }
}
