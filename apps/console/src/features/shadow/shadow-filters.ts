import { SHADOW_FILTERS, type ShadowFilter } from '@tidegate/contract/api'
import { activeFilters, type FilterName } from '../../lib/active-filters.ts'
import { boundsOf, readTimeRange, type RangeName, type TimeRange } from '../../lib/time-range.ts'

/** What the screen looks at, as the address holds it: the period is that of everything, the rest that of the list. */
export interface ShadowFilters extends TimeRange {
  model: string
  only: ShadowFilter
}

export const USUAL_RANGE: RangeName = 'week'

export const NO_FILTERS: ShadowFilters = { model: '', only: 'all', range: USUAL_RANGE, start: null, end: null }

export function readFilters(search: URLSearchParams): ShadowFilters {
  return {
    model: search.get('model') ?? '',
    only: SHADOW_FILTERS.find((only) => only === search.get('only')) ?? 'all',
    ...readTimeRange(search, USUAL_RANGE),
  }
}

export type ListFilter = Exclude<FilterName<ShadowFilters>, 'range'>

/** What narrows the list alone. */
export function listFilters(filters: ShadowFilters): ListFilter[] {
  return activeFilters(filters, NO_FILTERS).filter((name) => name !== 'range')
}

/** The period as the calls want it. */
export function periodQuery(range: TimeRange, now = new Date()): Record<string, number> {
  const { start, end } = boundsOf(range, now)
  return { ...(start !== null && { start }), ...(end !== null && { end }) }
}

/** The filters of the list as its call wants them. */
export function callsQuery(filters: ShadowFilters, now = new Date()): Record<string, string | number> {
  return {
    ...periodQuery(filters, now),
    ...(filters.model && { model_name: filters.model }),
    ...(filters.only !== 'all' && { only: filters.only }),
  }
}
