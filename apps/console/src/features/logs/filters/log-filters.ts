/** The filters of the usage log as the address holds them. */
export interface LogFilters {
  /** `%` stands for any text. */
  model: string
  token: string
  group: string
  request: string
  /** These two are for administrators. */
  username: string
  channel: number | null
  /** 0 means all. */
  type: number
  range: RangeName
  /** Unix seconds; only with the custom range. */
  start: number | null
  end: number | null
}

export const RANGES = ['today', 'yesterday', 'week', 'month', 'custom'] as const
export type RangeName = (typeof RANGES)[number]
/** Without a bound a large site would count its whole history for every look. */
export const DEFAULT_RANGE: RangeName = 'today'

export const NO_FILTERS: LogFilters = {
  model: '',
  token: '',
  group: '',
  request: '',
  username: '',
  channel: null,
  type: 0,
  range: DEFAULT_RANGE,
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
    type: wholeNumber(search.get('type')) ?? 0,
    range: RANGES.find((range) => range === search.get('range')) ?? DEFAULT_RANGE,
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

export type FilterName = Exclude<keyof LogFilters, 'start' | 'end'>

/** Filters that are set, in the order they are shown. */
export function activeFilters(filters: LogFilters): FilterName[] {
  const names = Object.keys(NO_FILTERS).filter((name) => name !== 'start' && name !== 'end') as FilterName[]
  return names.filter((name) => filters[name] !== NO_FILTERS[name])
}

export const isFiltered = (filters: LogFilters): boolean => activeFilters(filters).length > 0

/** The address without one filter. The times of a range go with it. */
export function without(name: FilterName): Record<string, null> {
  return name === 'range' ? { range: null, start: null, end: null } : { [name]: null }
}

/** The filters as the calls want them. */
export function filterQuery(filters: LogFilters, now = new Date()): Record<string, string | number> {
  const { start, end } = bounds(filters, now)
  return {
    ...(filters.model && { model_name: filters.model }),
    ...(filters.token && { token_name: filters.token }),
    ...(filters.group && { group: filters.group }),
    ...(filters.request && { request_id: filters.request }),
    ...(filters.username && { username: filters.username }),
    ...(filters.channel !== null && { channel: filters.channel }),
    ...(filters.type > 0 && { type: filters.type }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

const DAYS_BACK: Record<Exclude<RangeName, 'custom'>, number> = { today: 0, yesterday: 1, week: 6, month: 29 }
/** The clock of the server may be ahead of this one. */
const AHEAD_SECONDS = 3600

function bounds({ range, start, end, request }: LogFilters, now: Date): Pick<LogFilters, 'start' | 'end'> {
  if (range === 'custom') return { start, end }
  // A request id names one call, whenever that was.
  if (request && range === DEFAULT_RANGE) return { start: null, end: null }
  const from = midnight(now, DAYS_BACK[range])
  if (range === 'yesterday') return { start: from, end: midnight(now, 0) - 1 }
  return { start: from, end: Math.floor(now.getTime() / 1000) + AHEAD_SECONDS }
}

function midnight(now: Date, daysBack: number): number {
  return Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime() / 1000)
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
