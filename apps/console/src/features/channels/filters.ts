import { CHANNEL_SORTS, CHANNEL_STATES, type ChannelSort } from '@tidegate/contract/api'
import { useEffect } from 'react'
import type { StoredItem } from '../../lib/stored-item.ts'
import { stored } from '../../lib/stored.ts'
import { useUrlState } from '../../lib/url-state.ts'
import {
  choiceFilter,
  defineFilters,
  listFilter,
  textFilter,
  type FilterValues,
} from '../../ui/filters/define-filters.ts'

/** `keyword` is an id, part of a name or a whole key; `state` is set by the chips above the list. */
export const channelFilters = defineFilters({
  keyword: textFilter(),
  model: textFilter(),
  group: choiceFilter(),
  types: listFilter(),
  statuses: listFilter(),
  tags: listFilter(),
  state: choiceFilter(CHANNEL_STATES),
})
export type ChannelFilters = FilterValues<typeof channelFilters>

/** The filters as query parameters of the search. */
export function filterQuery({ types, statuses, tags, ...filters }: ChannelFilters) {
  return { ...filters, types: types.join(','), statuses: statuses.join(','), tags: tags.join(',') }
}

export interface SortOrder {
  by: ChannelSort
  direction: 'asc' | 'desc'
}

/** The direction in which a column is sorted first. */
export const firstDirection = (by: ChannelSort): SortOrder['direction'] => (by === 'name' ? 'asc' : 'desc')

const FLAGS = { id_sort: stored.idSort, tag_mode: stored.tagMode } as const
type FlagName = keyof typeof FLAGS

/** Order and grouping of the list. Both are in the URL; the two switches are also stored in the browser. */
export function useListOrder() {
  const { search, change } = useUrlState()
  const by = CHANNEL_SORTS.find((known) => known === search.get('sort'))
  const order: SortOrder | null = by ? { by, direction: readDirection(search) ?? firstDirection(by) } : null

  useEffect(() => {
    // A link to this page must show the same list to a colleague.
    const missing = (Object.entries(FLAGS) as [FlagName, StoredItem<boolean>][]).filter(
      ([name, item]) => !search.has(name) && item.get() === true,
    )
    if (missing.length > 0) change(Object.fromEntries(missing.map(([name]) => [name, 'true'])), { replace: true })
  }, [search, change])

  const setFlag = (name: FlagName, value: boolean, changes: Record<string, null> = {}) => {
    FLAGS[name].set(value)
    change({ [name]: value ? 'true' : null, page: null, ...changes })
  }
  return {
    /** Null for the default: channels that need attention first, then by priority. */
    order,
    idSort: readFlag(search, 'id_sort'),
    tagMode: readFlag(search, 'tag_mode'),
    setIdSort: (value: boolean) => setFlag('id_sort', value, { sort: null, direction: null }),
    setTagMode: (value: boolean) => setFlag('tag_mode', value),
    /** Sorts by a column, then the other way round, then by default again. */
    toggle(column: ChannelSort) {
      const isFirst = order?.by !== column
      const isSecond = !isFirst && order.direction === firstDirection(column)
      const reverse = firstDirection(column) === 'asc' ? 'desc' : 'asc'
      change({
        sort: isFirst || isSecond ? column : null,
        direction: isSecond ? reverse : null,
        page: null,
      })
    },
  }
}

function readFlag(search: URLSearchParams, name: FlagName): boolean {
  const text = search.get(name)
  return text === null ? (FLAGS[name].get() ?? false) : text === 'true'
}

function readDirection(search: URLSearchParams): SortOrder['direction'] | undefined {
  return (['asc', 'desc'] as const).find((known) => known === search.get('direction'))
}
