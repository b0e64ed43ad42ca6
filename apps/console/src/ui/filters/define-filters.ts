import { useMemo } from 'react'
import { readTimeRange, type RangeName, type TimeRange } from '../../lib/time-range.ts'
import { useUrlState, type ChangeOptions } from '../../lib/url-state.ts'
import { wholeNumber } from '../../lib/whole-number.ts'

type Changes = Record<string, string | number | null>

/** How one filter is stored in the URL. */
export interface FilterKind<Value> {
  readonly type: 'text' | 'number' | 'choice' | 'list' | 'flag' | 'range'
  readonly none: Value
  read(search: URLSearchParams, name: string): Value
  /** URL parameters of a value; null removes a parameter. */
  write(value: Value, name: string): Changes
}

export const textFilter = (): FilterKind<string> => ({
  type: 'text',
  none: '',
  read: (search, name) => (search.get(name) ?? '').trim(),
  write: (value, name) => ({ [name]: value || null }),
})

export const numberFilter = (): FilterKind<number | null> => ({
  type: 'number',
  none: null,
  read: (search, name) => wholeNumber(search.get(name)),
  write: (value, name) => ({ [name]: value }),
})

/** Accepts one of the values, any value if none are given, or each value that passes the test. Empty if not set. */
export const choiceFilter = (values?: readonly string[] | ((value: string) => boolean)): FilterKind<string> => ({
  type: 'choice',
  none: '',
  read: (search, name) => {
    const value = search.get(name) ?? ''
    const isKnown = typeof values === 'function' ? values(value) : !values || values.includes(value)
    return isKnown ? value : ''
  },
  write: (value, name) => ({ [name]: value || null }),
})

/** Several values, separated by commas. */
export const listFilter = (): FilterKind<readonly string[]> => ({
  type: 'list',
  none: [],
  read: (search, name) => (search.get(name) ?? '').split(',').filter((value) => value !== ''),
  write: (values, name) => ({ [name]: values.join(',') || null }),
})

export const flagFilter = (): FilterKind<boolean> => ({
  type: 'flag',
  none: false,
  read: (search, name) => search.get(name) === '1',
  write: (value, name) => ({ [name]: value ? 1 : null }),
})

/** Uses the parameters `range`, `start` and `end`. */
export const rangeFilter = (usual: RangeName): FilterKind<TimeRange> => ({
  type: 'range',
  none: { range: usual, start: null, end: null },
  read: (search) => readTimeRange(search, usual),
  write: ({ range, start, end }) => ({
    range: range === usual ? null : range,
    start: range === 'custom' ? start : null,
    end: range === 'custom' ? end : null,
  }),
})

// oxlint-disable-next-line typescript/no-explicit-any -- a schema mixes kinds of values
export type FilterSchema = Record<string, FilterKind<any>>
export type FilterValues<Schema extends FilterSchema> = {
  readonly [Name in keyof Schema]: Schema[Name] extends FilterKind<infer Value> ? Value : never
}

export const defineFilters = <Schema extends FilterSchema>(schema: Schema): Schema => schema

export interface Filters<Schema extends FilterSchema> {
  schema: Schema
  values: FilterValues<Schema>
  /** Names of the filters that are set, in the order of the schema. */
  active: readonly (keyof Schema & string)[]
  set(changes: Partial<FilterValues<Schema>>): void
  clear(): void
}

/** The filters of a list as the URL has them. A change goes back to the first page. */
export function useFilters<Schema extends FilterSchema>(schema: Schema, options: ChangeOptions = {}): Filters<Schema> {
  const { search, change } = useUrlState()
  const query = search.toString()
  const values = useMemo(() => readFilters(schema, new URLSearchParams(query)), [schema, query])
  const set = (changes: Partial<FilterValues<Schema>>) =>
    change({ ...writeFilters(schema, changes), page: null }, options)
  return {
    schema,
    values,
    active: activeFilters(schema, values),
    set,
    clear: () => set(Object.fromEntries(Object.entries(schema).map(([name, { none }]) => [name, none])) as never),
  }
}

export function readFilters<Schema extends FilterSchema>(schema: Schema, search: URLSearchParams) {
  return Object.fromEntries(
    Object.entries(schema).map(([name, kind]) => [name, kind.read(search, name)]),
  ) as FilterValues<Schema>
}

export function writeFilters<Schema extends FilterSchema>(
  schema: Schema,
  values: Partial<FilterValues<Schema>>,
): Changes {
  return Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) => schema[name]!.write(value, name)),
  ) as Changes
}

export function activeFilters<Schema extends FilterSchema>(schema: Schema, values: FilterValues<Schema>) {
  const isSet = (name: string) => Object.values(schema[name]!.write(values[name], name)).some((part) => part !== null)
  return Object.keys(schema).filter(isSet)
}
