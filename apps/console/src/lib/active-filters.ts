import type { TimeRange } from './time-range.ts'

/** The times of a range are no filters of their own. */
export type FilterName<Filters> = Exclude<keyof Filters & string, 'start' | 'end'>

/** What the address is to hold instead; null takes a parameter out. */
export type FilterChanges = Record<string, string | number | null>

/**
 * Filters that are set, in the order they are shown.
 * @param none the filters of the list when nothing is chosen.
 */
export function activeFilters<Filters extends TimeRange>(filters: Filters, none: Filters): FilterName<Filters>[] {
  return filterNames(none).filter((name) => filters[name] !== none[name])
}

/** The address without one filter. The times of a range go with it. */
export function without(name: string): Record<string, null> {
  return name === 'range' ? { range: null, start: null, end: null } : { [name]: null }
}

/** The address without any. */
export function withoutAll(none: TimeRange): Record<string, null> {
  return Object.assign({}, ...filterNames(none).map(without)) as Record<string, null>
}

function filterNames<Filters extends TimeRange>(filters: Filters): FilterName<Filters>[] {
  return Object.keys(filters).filter((name) => name !== 'start' && name !== 'end') as FilterName<Filters>[]
}
