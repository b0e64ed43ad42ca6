import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { LOG_TYPE } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { json, storedItem } from '../../lib/stored-item.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button, Input, Modal } from '../../ui/kit/index.ts'
import { activeFilters, writeFilters } from '../../ui/filters/define-filters.ts'
import { allowedFilters, logFilters, type LogFilters, type LogFilterState } from './filters.ts'
import styles from './logs.module.css'
import { StateMark } from './state-mark.tsx'

/** A named set of filters. */
interface SavedView {
  name: string
  /** URL query of the filters. */
  query: string
}

type ViewsByUser = Record<string, SavedView[]>

/** Stored by user ID, because several users may share a browser. */
const savedViews = storedItem<ViewsByUser>('log-views', json(isViewsByUser))

const MAX_VIEWS = 20
/** Links from other pages filter errors by their type. */
const ERROR_TYPE = `type=${LOG_TYPE.error}`
const NO_FILTERS = Object.fromEntries(Object.entries(logFilters).map(([name, { none }]) => [name, none])) as LogFilters

interface Props {
  filters: LogFilterState
  wholeSite: boolean
  /** Number of errors in the range. */
  errors: number | undefined
}

/** Built-in and saved views of the log as chips. A view replaces all filters except the time range. */
export function SavedViews({ filters, wholeSite, errors }: Props) {
  const { t } = useTranslation('logs')
  const { search, change } = useUrlState()
  const userId = useSession((session) => String(session.user?.id ?? 0))
  const [views, setViews] = useState(() => savedViews.get()?.[userId] ?? [])
  const [naming, setNaming] = useState(false)
  const current = queryOf(filters.values)
  const store = (next: SavedView[]) => {
    savedViews.set({ ...savedViews.get(), [userId]: next })
    setViews(next)
  }
  const show = (query: string) => {
    const parameters = new URLSearchParams(query)
    const cleared = Object.keys(writeFilters(logFilters, withoutRange(NO_FILTERS)))
    change({
      ...Object.fromEntries(cleared.map((name) => [name, parameters.get(name)])),
      page: null,
      open: search.get('open'),
    })
  }
  const builtIn = [
    { key: 'all', query: '', label: t('views.all') },
    { key: 'errors', query: 'status=error', label: t('views.errors'), count: errors },
    ...(wholeSite ? [{ key: 'retried', query: 'retried=true', label: t('views.retried') }] : []),
    { key: 'slow', query: 'slower=10000', label: t('facets.over', { seconds: 10 }) },
  ]
  const isKnown = current === ERROR_TYPE || [...builtIn, ...views].some(({ query }) => query === current)
  return (
    <section className={styles.views} aria-label={t('views.label')}>
      {builtIn.map(({ key, query, label, count }) => (
        <button
          key={key}
          type="button"
          className={styles.view}
          aria-pressed={current === query || (key === 'errors' && current === ERROR_TYPE)}
          onClick={() => show(query)}
        >
          {key === 'errors' && <StateMark state="error" isDecoration />}
          {label}
          {count !== undefined && count > 0 && (
            <span className={`number ${styles.viewCount}`}>{count.toLocaleString('en-US')}</span>
          )}
        </button>
      ))}
      {views.map((view) => (
        <span key={view.name} className={styles.savedView}>
          <button
            type="button"
            className={styles.view}
            aria-pressed={current === view.query}
            onClick={() => show(view.query)}
          >
            {view.name}
          </button>
          <button
            type="button"
            className={styles.removeView}
            aria-label={t('views.remove', { name: view.name })}
            onClick={() => store(views.filter(({ name }) => name !== view.name))}
          >
            <CloseOutlined aria-hidden />
          </button>
        </span>
      ))}
      {!isKnown && views.length < MAX_VIEWS && (
        <Button size="small" type="text" icon={<PlusOutlined aria-hidden />} onClick={() => setNaming(true)}>
          {t('views.save')}
        </Button>
      )}
      {naming && (
        <NameDialog
          onCancel={() => setNaming(false)}
          onSave={(name) => {
            store([...views.filter((view) => view.name !== name), { name, query: current }])
            setNaming(false)
          }}
        />
      )}
    </section>
  )
}

const MAX_NAME = 40

function NameDialog({ onSave, onCancel }: { onSave(name: string): void; onCancel(): void }) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const [name, setName] = useState('')
  const save = () => name.trim() !== '' && onSave(name.trim())
  return (
    <Modal
      open
      title={t('views.save')}
      okText={common('save')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: name.trim() === '' }}
      onOk={save}
      onCancel={onCancel}
      width={400}
    >
      <Input
        aria-label={t('views.name')}
        placeholder={t('views.name')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog has one field
        autoFocus
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={save}
      />
    </Modal>
  )
}

function withoutRange({ range: _range, ...filters }: LogFilters): Omit<LogFilters, 'range'> {
  return filters
}

/** The filters of a view as a URL query, without the time range. */
export function queryOf(values: LogFilters, wholeSite = true): string {
  const filters = allowedFilters(values, wholeSite)
  const set = activeFilters(logFilters, filters).filter((name) => name !== 'range')
  const written = writeFilters(
    logFilters,
    Object.fromEntries(set.map((name) => [name, filters[name as keyof LogFilters]])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(written)) if (value !== null) query.set(name, String(value))
  return query.toString()
}

const BUILT_IN: ReadonlySet<string> = new Set(['', 'status=error', ERROR_TYPE, 'retried=true', 'slower=10000'])

/** The filters are those of a view that every list of the log offers. */
export const isBuiltInView = (values: LogFilters): boolean => BUILT_IN.has(queryOf(values))

function isViewsByUser(value: unknown): value is ViewsByUser {
  const isView = (view: unknown) =>
    typeof view === 'object' &&
    view !== null &&
    'name' in view &&
    'query' in view &&
    typeof view.name === 'string' &&
    typeof view.query === 'string'
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((views) => Array.isArray(views) && views.every(isView))
  )
}
