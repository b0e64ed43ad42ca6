import { LOG_TYPE, type LogFacet } from '@tidegate/contract/api'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { formatCount } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { ChoiceFilter } from '../../ui/filters/choice-filter.tsx'
import { Checkbox } from '../../ui/kit/index.ts'
import { facetsQuery, type LogScope } from './api.ts'
import styles from './facets.module.css'
import { toggleValue, type LogFilters, type LogFilterState } from './filters.ts'
import { LOG_TYPE_NAMES, StateMark } from './state-mark.tsx'

/** Facets whose filter takes several values. */
const LISTS = { status: 'status', model: 'model', channel: 'channel', user: 'username', error_code: 'error' } as const
const SINGLES = { token: 'token', group: 'group', stream: 'stream', retried: 'retried' } as const

type ListFacet = keyof typeof LISTS
type SingleFacet = keyof typeof SINGLES

const ORDER = ['status', 'error_code', 'model', 'channel', 'user', 'token', 'group', 'retried', 'stream'] as const
const SLOWER = [1000, 10_000, 60_000] as const
const FIRST_VALUES = 5
/** The option for rows of requests, which is chosen at first. */
const REQUESTS = -1

interface Props {
  scope: LogScope
  filters: LogFilterState
}

/**
 * Values of each field with their number of requests. The counts of a field ignore its own filter, so that further values
 * can be added.
 */
export function useFacets(scope: LogScope) {
  const all = useQuery(facetsQuery(scope))
  const { filters } = scope
  const names = [...keys(LISTS), ...keys(SINGLES)].filter((name) => isSet(filters, name))
  const others = useQueries({
    queries: names.map((name) => facetsQuery({ ...scope, filters: withoutFacet(filters, name) })),
  })
  const facets = all.data && {
    ...all.data,
    ...Object.fromEntries(names.map((name, index) => [name, others[index]?.data?.[name] ?? all.data[name]])),
  }
  return { facets, error: all.error }
}

export function Facets({ scope, filters }: Props) {
  const { t } = useTranslation('logs')
  const { facets, error } = useFacets(scope)
  const { values, set } = filters
  return (
    <section className={styles.facets} aria-label={t('filters.label')}>
      <div className={styles.section}>
        <h2>{t('filters.type')}</h2>
        <ChoiceFilter
          label={t('filters.type')}
          value={values.type ?? REQUESTS}
          onChange={(type) => set({ type: type === REQUESTS ? null : type })}
          options={[
            { value: REQUESTS, label: t('types.requests') },
            { value: 0, label: t('types.all') },
            ...LOG_TYPE_NAMES.map((name) => ({ value: LOG_TYPE[name] as number, label: t(`types.${name}`) })),
          ]}
        />
      </div>
      {error && <p className={styles.failed}>{errorText(error)}</p>}
      {!facets && !error && <FacetsLoading />}
      {facets &&
        ORDER.map((name) => facets[name] && <Section key={name} name={name} facet={facets[name]} {...{ filters }} />)}
      <fieldset className={styles.section}>
        <legend>{t('facets.slower')}</legend>
        {SLOWER.map((milliseconds) => (
          <Value
            key={milliseconds}
            checked={values.slower === milliseconds}
            onToggle={() => set({ slower: values.slower === milliseconds ? null : milliseconds })}
          >
            {t('facets.over', { seconds: milliseconds / 1000 })}
          </Value>
        ))}
      </fieldset>
      {scope.wholeSite && (
        <div className={styles.section}>
          <Checkbox checked={values.uncovered} onChange={(event) => set({ uncovered: event.target.checked })}>
            {t('filters.uncovered')}
          </Checkbox>
        </div>
      )}
    </section>
  )
}

interface SectionProps {
  name: ListFacet | SingleFacet
  facet: LogFacet
  filters: LogFilterState
}

function Section({ name, facet, filters: { values, set } }: SectionProps) {
  const { t } = useTranslation('logs')
  const [isOpen, setIsOpen] = useState(false)
  const chosen = chosenValues(values, name)
  const missing = chosen.filter((value) => !facet.values.some((known) => known.value === value))
  const offered = [...missing.map((value) => ({ value, name: value, count: null })), ...facet.values]
  const hidden = isOpen ? 0 : Math.max(0, offered.length - FIRST_VALUES)
  if (offered.length === 0) return null
  return (
    <fieldset className={styles.section}>
      <legend>{t(`facets.${name}`)}</legend>
      {offered.slice(0, offered.length - hidden).map((value) => (
        <Value
          key={value.value}
          checked={chosen.includes(value.value)}
          count={value.count}
          mono={name === 'model' || name === 'error_code'}
          onToggle={(only) => set(changed(value.value, only))}
        >
          {label(value)}
        </Value>
      ))}
      {offered.length > FIRST_VALUES && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('facets.less') : t('facets.more', { count: hidden + facet.others })}
        </button>
      )}
      {isOpen && facet.others > 0 && <p className={styles.others}>{t('facets.others', { count: facet.others })}</p>}
    </fieldset>
  )

  function changed(value: string, only: boolean): Partial<LogFilters> {
    if (isList(name)) return { [LISTS[name]]: toggleValue(chosen, value, only) }
    return { [SINGLES[name]]: chosen.includes(value) ? '' : value }
  }

  function label(value: { value: string; name: string }): ReactNode {
    if (name === 'status' && isStatus(value.value)) {
      return (
        <>
          <StateMark state={value.value} isDecoration /> {t(`state.${value.value}`)}
        </>
      )
    }
    if (name === 'stream') return t(value.value === 'true' ? 'stream' : 'notStream')
    if (name === 'retried') return t(value.value === 'true' ? 'values.yes' : 'values.no')
    return value.name || (name === 'channel' ? channelText(value.value) : t('values.none'))
  }

  function channelText(id: string): string {
    return id === '0' ? t('notRouted') : `#${id}`
  }
}

interface ValueProps {
  checked: boolean
  /** Null while unknown. */
  count?: number | null
  mono?: boolean
  /** `only`: Alt was held to select just this value. */
  onToggle(only: boolean): void
  children: ReactNode
}

function Value({ checked, count, mono, onToggle, children }: ValueProps) {
  const { t } = useTranslation('logs')
  return (
    <label className={styles.value} title={t('facets.hint')}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.altKey)}
        onKeyDown={({ key, altKey }) => key === 'Enter' && onToggle(altKey)}
      />
      <span className={mono ? `mono ${styles.name}` : styles.name}>{children}</span>
      {count !== undefined && (
        <span className={`number ${styles.count}`}>{count === null ? '–' : formatCount(count)}</span>
      )}
    </label>
  )
}

function FacetsLoading() {
  return (
    <div className={styles.section}>
      <SkeletonLines lines={8} />
    </div>
  )
}

const keys = <Key extends string>(map: Record<Key, unknown>) => Object.keys(map) as Key[]
const isList = (name: ListFacet | SingleFacet): name is ListFacet => Object.hasOwn(LISTS, name)
const isStatus = (value: string) => value === 'success' || value === 'error' || value === 'interrupted'

function chosenValues(filters: LogFilters, name: ListFacet | SingleFacet): readonly string[] {
  if (isList(name)) return filters[LISTS[name]]
  const value = filters[SINGLES[name]]
  return value ? [value] : []
}

const isSet = (filters: LogFilters, name: ListFacet | SingleFacet) => chosenValues(filters, name).length > 0

function withoutFacet(filters: LogFilters, name: ListFacet | SingleFacet): LogFilters {
  return isList(name) ? { ...filters, [LISTS[name]]: [] } : { ...filters, [SINGLES[name]]: '' }
}
