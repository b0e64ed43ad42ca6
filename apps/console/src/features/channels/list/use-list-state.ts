import { useEffect, useMemo } from 'react'
import type { StoredItem } from '../../../lib/stored-item.ts'
import { stored } from '../../../lib/stored.ts'
import { usePageState, useUrlState } from '../../../lib/use-url-state.ts'
import { readFilters, writeChanges, type ChannelFilters } from './channel-filters.ts'

const FLAGS = { id_sort: stored.idSort, tag_mode: stored.tagMode } as const
type FlagName = keyof typeof FLAGS

/** What the list shows: in the address, so that a link shows the same; order and grouping are also remembered. */
export function useListState() {
  const { search, change } = useUrlState()
  const pages = usePageState()
  const filters = useMemo(() => readFilters(search), [search])
  const flags = { idSort: readFlag(search, 'id_sort'), tagMode: readFlag(search, 'tag_mode') }

  useEffect(() => {
    // What is remembered belongs into the address as well, or a link would show something else to a colleague.
    const missing = (Object.entries(FLAGS) as [FlagName, StoredItem<boolean>][]).filter(
      ([name, item]) => !search.has(name) && item.get() === true,
    )
    if (missing.length > 0) change(Object.fromEntries(missing.map(([name]) => [name, 'true'])), { replace: true })
  }, [search, change])

  const setFlag = (name: FlagName, value: boolean) => {
    FLAGS[name].set(value)
    change({ [name]: value ? 'true' : null, page: null })
  }
  return {
    search,
    change,
    pages,
    filters,
    ...flags,
    setFilters: (changes: Partial<ChannelFilters>) => change({ ...writeChanges(changes), page: null }),
    setIdSort: (value: boolean) => setFlag('id_sort', value),
    setTagMode: (value: boolean) => setFlag('tag_mode', value),
  }
}

function readFlag(search: URLSearchParams, name: FlagName): boolean {
  const written = search.get(name)
  return written === null ? (FLAGS[name].get() ?? false) : written === 'true'
}
