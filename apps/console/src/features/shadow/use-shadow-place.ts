import { useMemo } from 'react'
import type { FilterChanges } from '../../lib/active-filters.ts'
import { stored } from '../../lib/stored.ts'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { readFilters } from './shadow-filters.ts'

export const VIEWS = ['models', 'routes', 'calls'] as const
export type View = (typeof VIEWS)[number]

/** The figures stand above the views: whoever turns a page or chooses a filter there stays where they are. */
const STAYING = { preventScrollReset: true } as const

/** What the address says of this screen. */
export function useShadowPlace() {
  const { search, change } = useUrlState()
  const pages = usePageState(stored.pageSize, STAYING)
  return {
    filters: readFilters(search),
    pages,
    view: VIEWS.find((view) => view === search.get('view')) ?? VIEWS[0],
    ...useMemo(
      () => ({
        setFilters: (changes: FilterChanges) => change({ ...changes, page: null }, STAYING),
        showView: (view: View) => change({ view: view === VIEWS[0] ? null : view }, STAYING),
        showCallsOf: (model: string) => change({ view: 'calls', model, only: null, page: null }, STAYING),
      }),
      [change],
    ),
  }
}
