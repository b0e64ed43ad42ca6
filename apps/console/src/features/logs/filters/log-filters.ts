import { activeFilters } from '../../../lib/filters/active-filters.ts'
import {
  AT_ANY_TIME,
  boundsOf,
  readTimeRange,
  type RangeName,
  type TimeRange,
} from '../../../lib/filters/time-range.ts'
import { wholeNumber } from '../../../lib/filters/whole-number.ts'

/** The filters of the usage log as the address holds them. */
export interface LogFilters extends TimeRange {
  /** `%` stands for any text. */
  model: string
  token: string
  group: string
  request: string
  /** These three are for administrators. */
  username: string
  channel: number | null
  /** Only requests that cost more than their account could pay. */
  uncovered: boolean
  /** 0 means all. */
  type: number
}

/** Without a bound a large site would count its whole history for every look. */
export const USUAL_RANGE: RangeName = 'today'

export const NO_FILTERS: LogFilters = {
  model: '',
  token: '',
  group: '',
  request: '',
  username: '',
  channel: null,
  uncovered: false,
  type: 0,
  range: USUAL_RANGE,
  start: null,
  end: null,
}

/** Only an administrator may ask by user or channel: a link from one must not show an ordinary user chips without effect. */
export function readFilters(search: URLSearchParams, wholeSite: boolean): LogFilters {
  const text = (name: string) => search.get(name) ?? ''
  return {
    model: text('model'),
    token: text('token'),
    group: text('group'),
    request: text('request'),
    username: wholeSite ? text('username') : '',
    channel: wholeSite ? wholeNumber(search.get('channel')) : null,
    uncovered: wholeSite && search.get('uncovered') === '1',
    type: wholeNumber(search.get('type')) ?? 0,
    ...readTimeRange(search, USUAL_RANGE),
  }
}

export const isFiltered = (filters: LogFilters): boolean => activeFilters(filters, NO_FILTERS).length > 0

/** The filters as the calls want them. */
export function filterQuery(filters: LogFilters, now = new Date()): Record<string, string | number> {
  // A request id names one call, whenever that was.
  const { start, end } = filters.request && filters.range === USUAL_RANGE ? AT_ANY_TIME : boundsOf(filters, now)
  return {
    ...(filters.model && { model_name: filters.model }),
    ...(filters.token && { token_name: filters.token }),
    ...(filters.group && { group: filters.group }),
    ...(filters.request && { request_id: filters.request }),
    ...(filters.username && { username: filters.username }),
    ...(filters.channel !== null && { channel: filters.channel }),
    ...(filters.uncovered && { uncovered: 'true' }),
    ...(filters.type > 0 && { type: filters.type }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}
