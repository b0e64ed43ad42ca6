import { useUrlState } from '../../../lib/use-url-state.ts'
import { PAGE_SIZES } from '../../../lib/stored.ts'
import type { PageState } from '../../../lib/use-url-state.ts'

export const VIEWS = ['json', 'visual', 'unset'] as const
export type View = (typeof VIEWS)[number]

export const SHOWS = ['all', 'changed', 'conflict'] as const
export type Show = (typeof SHOWS)[number]

export interface Place {
  view: View
  keyword: string
  show: Show
  pages: PageState
  turnTo(view: View, show?: Show): void
  filter(changes: { keyword?: string; show?: Show }): void
}

/** Where somebody is in the prices, in the address. The page stays where it is scrolled: this is one of many sections. */
export function usePlace(): Place {
  const { search, change } = useUrlState()
  const here = { replace: true, preventScrollReset: true }
  const size = PAGE_SIZES.find((known) => String(known) === search.get('size')) ?? PAGE_SIZES[0]
  const page = Number(search.get('page'))
  const keyword = search.get('keyword') ?? ''
  const show = oneOf(SHOWS, search.get('show'))
  return {
    view: oneOf(VIEWS, search.get('prices')),
    keyword,
    show,
    pages: {
      page: Number.isSafeInteger(page) && page > 0 ? page : 1,
      size,
      turn: (next, nextSize) =>
        change({ page: nextSize === size && next > 1 ? next : null, size: otherThan(PAGE_SIZES[0], nextSize) }, here),
    },
    turnTo: (view, shown = 'all') =>
      change(
        { prices: otherThan('json', view), show: otherThan('all', shown), keyword: null, page: null, size: null },
        here,
      ),
    filter(wanted) {
      const next = { keyword, show, ...wanted }
      // A search field repeats itself as long as it holds blanks that are no part of the keyword.
      if (next.keyword === keyword && next.show === show) return
      change({ keyword: next.keyword, show: otherThan('all', next.show), page: null }, here)
    },
  }
}

/** What the address need not say. */
const otherThan = <Value>(usual: Value, value: Value): Value | null => (value === usual ? null : value)

function oneOf<Known extends string>(known: readonly [Known, ...Known[]], asked: string | null): Known {
  return known.find((value) => value === asked) ?? known[0]
}
