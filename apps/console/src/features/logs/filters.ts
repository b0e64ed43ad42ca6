import { LOG_TYPE, REQUEST_STATUSES, type LogFacets, type UsageLog } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { AT_ANY_TIME, boundsOf, type RangeName } from '../../lib/time-range.ts'
import {
  choiceFilter,
  defineFilters,
  flagFilter,
  listFilter,
  numberFilter,
  rangeFilter,
  textFilter,
  useFilters,
  type Filters,
  type FilterValues,
} from '../../ui/filters/define-filters.ts'

/** Without a bound, every view would count the whole history of a large site. */
const DEFAULT_RANGE: RangeName = 'today'

export const logFilters = defineFilters({
  status: listFilter(),
  /** Exact names, or one pattern with `%`. */
  model: listFilter(),
  username: listFilter(),
  token: textFilter(),
  channel: listFilter(),
  group: textFilter(),
  /** Error codes. */
  error: listFilter(),
  stream: choiceFilter(['true', 'false']),
  retried: choiceFilter(['true', 'false']),
  /** Minimum duration in milliseconds. */
  slower: numberFilter(),
  /** Requests if it is not set, every type of row if it is 0. */
  type: numberFilter(),
  request: textFilter(),
  uncovered: flagFilter(),
  range: rangeFilter(DEFAULT_RANGE),
})

export type LogFilters = FilterValues<typeof logFilters>
export type LogFilterState = Filters<typeof logFilters>
export type LogFilterName = keyof LogFilters

/** Ordinary users cannot filter by these. A shared link must not show them filters without effect. */
const ADMIN_FILTERS: ReadonlySet<LogFilterName> = new Set(['username', 'channel', 'retried', 'uncovered'])

export function useLogFilters(wholeSite: boolean): LogFilterState {
  const state = useFilters(logFilters)
  const values = useMemo(() => allowedFilters(state.values, wholeSite), [state.values, wholeSite])
  return { ...state, values, active: state.active.filter((name) => wholeSite || !ADMIN_FILTERS.has(name)) }
}

export function allowedFilters(values: LogFilters, wholeSite: boolean): LogFilters {
  return wholeSite ? values : { ...values, username: [], channel: [], retried: '', uncovered: false }
}

type LogQuery = Record<string, string | number>

/** Query parameters of the log endpoints. */
export function filterQuery(filters: LogFilters, now = new Date()): LogQuery {
  const { model, username, channel, status, range } = filters
  // A request ID identifies one request at any time.
  const { start, end } = filters.request && range.range === DEFAULT_RANGE ? AT_ANY_TIME : boundsOf(range, now)
  const pattern = model.find((name) => name.includes('%'))
  return {
    ...(status.length > 0 && { status: status.join(',') }),
    ...(pattern ? { model_name: pattern } : model.length > 0 && { models: model.join(',') }),
    ...(username.length > 0 && { usernames: username.join(',') }),
    ...(channel.length > 0 && { channels: channel.join(',') }),
    ...(filters.error.length > 0 && { error_codes: filters.error.join(',') }),
    ...(filters.token && { token_name: filters.token }),
    ...(filters.group && { group: filters.group }),
    ...(filters.request && { request_id: filters.request }),
    ...(filters.stream && { stream: filters.stream }),
    ...(filters.retried && { retried: filters.retried }),
    ...(filters.slower && { min_duration_ms: filters.slower }),
    ...(filters.type && { type: filters.type }),
    ...(filters.uncovered && { uncovered: 'true' }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

const REQUEST_TYPES = [LOG_TYPE.consumption, LOG_TYPE.error].join()

/** For rows: lists only requests unless a type is chosen. A request ID finds rows of every type. */
export function rowQuery(filters: LogFilters, now = new Date()): LogQuery {
  const isOfRequests = filters.type === null && filters.request === ''
  return { ...filterQuery(filters, now), ...(isOfRequests && { types: REQUEST_TYPES }) }
}

/** For counts over time: the list reads an hour ahead because clocks differ, a chart would show it as empty. */
export function countQuery(filters: LogFilters, now = new Date()): LogQuery {
  const query = filterQuery(filters, now)
  const seconds = Math.ceil(now.getTime() / 1000)
  return filters.range.range === 'custom'
    ? query
    : { ...query, end_timestamp: Math.min(Number(query.end_timestamp), seconds) }
}

/** The time in milliseconds and eight random characters. */
export const REQUEST_ID = /^\d{17}[A-Za-z0-9]{8,10}$/

const TEXT_KEYS: Readonly<Record<string, LogFilterName>> = {
  status: 'status',
  model: 'model',
  user: 'username',
  username: 'username',
  channel: 'channel',
  token: 'token',
  group: 'group',
  type: 'type',
  error: 'error',
  code: 'error',
  request: 'request',
}

/**
 * Filters typed as text: `status:error model:gpt-4o user:mira`. A word without a key searches model names. Values can
 * be quoted. Unknown values are ignored.
 */
export function parseFilterText(text: string, facets?: LogFacets): Partial<LogFilters> {
  const found: Record<string, unknown> = {}
  for (const [, key, quoted, plain, word] of text.matchAll(/(\w+):(?:"([^"]*)"|(\S+))|(\S+)/g)) {
    const name = key ? TEXT_KEYS[key.toLowerCase()] : 'model'
    const value = word === undefined ? (quoted ?? plain ?? '') : word.includes('%') ? word : `%${word}%`
    const parsed = name && filterValue(name, value, facets)
    if (parsed !== undefined) found[name as string] = parsed
  }
  return found
}

function filterValue(name: LogFilterName, value: string, facets: LogFacets | undefined): unknown {
  const values = value.split(',').filter((part) => part !== '')
  switch (name) {
    case 'status': {
      const known = REQUEST_STATUSES.filter((status) => values.includes(status))
      return known.length > 0 ? known : undefined
    }
    case 'channel': {
      const ids = values.flatMap((part) => channelId(part, facets) ?? [])
      return ids.length > 0 ? ids : undefined
    }
    case 'model':
    case 'username':
    case 'error':
      return values
    case 'type':
      if (value.toLowerCase() === 'all') return 0
      return Object.entries(LOG_TYPE).find(([type]) => type.toLowerCase() === value.toLowerCase())?.[1]
    default:
      return value
  }
}

/** Channels are typed by ID or by the start of their name. */
function channelId(text: string, facets: LogFacets | undefined): string | undefined {
  if (/^#?\d+$/.test(text)) return text.replace('#', '')
  const starts = (name: string) => name.toLowerCase().startsWith(text.toLowerCase())
  return facets?.channel?.values.find(({ name }) => starts(name))?.value
}

/** Adds a value to a list filter, or removes it. `only` replaces the others. Exact names replace a pattern. */
export function toggleValue(values: readonly string[], value: string, only = false): string[] {
  if (only) return values.length === 1 && values[0] === value ? [] : [value]
  const exact = values.filter((other) => !other.includes('%'))
  return exact.includes(value) ? exact.filter((other) => other !== value) : [...exact, value]
}

/** IDs are unique within a time partition only. */
export const logKey = (log: UsageLog): string => `${log.id}/${log.request_id}/${log.created_at}`

/** The row in the URL: by request ID, so that a link works from any page of the list. */
export const openKey = (log: UsageLog): string => log.request_id || `row-${log.id}`
