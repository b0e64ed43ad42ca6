import {
  AT_ANY_TIME,
  boundsOf,
  readTimeRange,
  type Bounds,
  type RangeName,
  type TimeRange,
} from '../../lib/time-range.ts'
import { wholeNumber } from '../../lib/whole-number.ts'

/** The filters of a list of tasks as the address holds them. */
export interface TaskFilters extends TimeRange {
  task: string
  /** Blank where a list has tasks of one platform only. */
  platform: string
  status: string
  /** For administrators. */
  channel: number | null
}

/** What a list can be narrowed by, and how far back it looks when nothing is chosen. */
export interface FilterRules {
  usualRange: RangeName
  platforms: readonly string[]
  statuses: readonly string[]
}

/** The filters when nothing is chosen. */
export const noFilters = ({ usualRange }: FilterRules): TaskFilters => ({
  task: '',
  platform: '',
  status: '',
  channel: null,
  range: usualRange,
  start: null,
  end: null,
})

/** A link from an administrator must not show an ordinary user chips without effect. */
export function readFilters(search: URLSearchParams, rules: FilterRules, wholeSite: boolean): TaskFilters {
  const oneOf = (name: string, known: readonly string[]) => known.find((value) => value === search.get(name)) ?? ''
  return {
    task: search.get('task') ?? '',
    platform: oneOf('platform', rules.platforms),
    status: oneOf('status', rules.statuses),
    channel: wholeSite ? wholeNumber(search.get('channel')) : null,
    ...readTimeRange(search, rules.usualRange),
  }
}

/** From when to when to look. An id names one task, whenever that was, unless a range was chosen as well. */
export function taskBounds(filters: TaskFilters, { usualRange }: FilterRules, now = new Date()): Bounds {
  return filters.task && filters.range === usualRange ? AT_ANY_TIME : boundsOf(filters, now)
}
