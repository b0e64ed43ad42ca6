import { CHANNEL_SORTS, CHANNEL_STATES } from '@tidegate/contract/api'
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
import { useSorting } from '../../ui/table/sorting.tsx'

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

const TEXT_SORTS = ['name'] as const
const FLAGS = { id_sort: stored.idSort, tag_mode: stored.tagMode } as const
type FlagName = keyof typeof FLAGS

/** Order and grouping of the list. Both are in the URL; the two switches are also stored in the browser. */
export function useListOrder() {
  const { search, change } = useUrlState()
  const sorting = useSorting(CHANNEL_SORTS, TEXT_SORTS)

  useEffect(() => {
    // Adds stored options to the URL, so that a shared link shows the same list.
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
    /** By default channels that need attention come first, then the order is by priority. */
    ...sorting,
    idSort: readFlag(search, 'id_sort'),
    tagMode: readFlag(search, 'tag_mode'),
    setIdSort: (value: boolean) => setFlag('id_sort', value, { sort: null, direction: null }),
    setTagMode: (value: boolean) => setFlag('tag_mode', value),
  }
}

function readFlag(search: URLSearchParams, name: FlagName): boolean {
  const text = search.get(name)
  return text === null ? (FLAGS[name].get() ?? false) : text === 'true'
}
