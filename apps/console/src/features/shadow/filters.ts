import { SHADOW_FILTERS } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { boundsOf, type TimeRange } from '../../lib/time-range.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { choiceFilter, defineFilters, rangeFilter, type FilterValues } from '../../ui/filters/define-filters.ts'

/** The period of the whole screen. */
export const periodFilters = defineFilters({ range: rangeFilter('week') })

export const OUTCOMES = SHADOW_FILTERS.filter((only) => only !== 'all')

/** The filters of the list of requests. */
export const requestFilters = defineFilters({ model: choiceFilter(), only: choiceFilter(OUTCOMES) })

/** Parameters of the API. */
export function periodQueryOf(range: TimeRange, now = new Date()): Record<string, number> {
  const { start, end } = boundsOf(range, now)
  return { ...(start !== null && { start }), ...(end !== null && { end }) }
}

/** Parameters of the API. Filters that are not set are left out. */
export function requestQueryOf({ model, only }: FilterValues<typeof requestFilters>): Record<string, string> {
  return { ...(model && { model_name: model }), ...(only && { only }) }
}

export const VIEWS = ['models', 'routes', 'calls'] as const
export type View = (typeof VIEWS)[number]

/** The summary is above the views. Changes below it keep the scroll position. */
export const KEEP_SCROLL = { preventScrollReset: true } as const

/** The open view, in the URL. */
export function useView() {
  const { search, change } = useUrlState()
  return {
    view: VIEWS.find((view) => view === search.get('view')) ?? VIEWS[0],
    ...useMemo(
      () => ({
        showView: (view: View) => change({ view: view === VIEWS[0] ? null : view }, KEEP_SCROLL),
        showRequestsOf: (model: string) =>
          change({ view: 'calls' satisfies View, model, only: null, page: null }, KEEP_SCROLL),
      }),
      [change],
    ),
  }
}
