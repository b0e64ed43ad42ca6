/** The filters of the usage log as the address holds them. */
export interface LogFilters {
  model: string
  token: string
  username: string
  /** 0 means all. */
  type: number
  range: RangeName
  /** Unix seconds; only with the custom range. */
  start: number | null
  end: number | null
}

export const RANGES = ['today', 'week', 'month', 'custom'] as const
export type RangeName = (typeof RANGES)[number]
/** Without a bound a large site would count its whole history for every look. */
export const DEFAULT_RANGE: RangeName = 'week'

const DAYS: Record<Exclude<RangeName, 'custom'>, number> = { today: 1, week: 7, month: 30 }

export function readFilters(search: URLSearchParams): LogFilters {
  return {
    model: search.get('model') ?? '',
    token: search.get('token') ?? '',
    username: search.get('username') ?? '',
    type: wholeNumber(search.get('type')) ?? 0,
    range: RANGES.find((range) => range === search.get('range')) ?? DEFAULT_RANGE,
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

export const isFiltered = (filters: LogFilters): boolean =>
  filters.model !== '' ||
  filters.token !== '' ||
  filters.username !== '' ||
  filters.type !== 0 ||
  filters.range !== DEFAULT_RANGE

/** The filters as the calls want them. A relative range begins at midnight, so that asking twice asks the same. */
export function filterQuery(filters: LogFilters, now = new Date()): Record<string, string | number> {
  const { start, end } = bounds(filters, now)
  return {
    ...(filters.model && { model_name: filters.model }),
    ...(filters.token && { token_name: filters.token }),
    ...(filters.username && { username: filters.username }),
    ...(filters.type > 0 && { type: filters.type }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

function bounds({ range, start, end }: LogFilters, now: Date): { start: number | null; end: number | null } {
  if (range === 'custom') return { start, end }
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[range] + 1)
  return { start: Math.floor(midnight.getTime() / 1000), end: null }
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
