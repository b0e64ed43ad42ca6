import { useState } from 'react'
import { PAGE_SIZES, type PageSize } from '../../lib/stored.ts'
import type { PageState } from '../../lib/url-state.ts'

/** Page state outside the URL, for lists in dialogs. */
export function useLocalPages(): PageState {
  const [{ page, size }, setPages] = useState<{ page: number; size: PageSize }>({ page: 1, size: PAGE_SIZES[0] })
  return {
    page,
    size,
    turn(next, nextSize) {
      const chosen = PAGE_SIZES.find((known) => known === nextSize) ?? size
      setPages({ page: chosen === size ? next : 1, size: chosen })
    },
  }
}

/** The rows of a page, or of the last page if the page number is too high. */
export function pageOf<Row>(rows: readonly Row[], { page, size }: Pick<PageState, 'page' | 'size'>) {
  const last = Math.max(1, Math.ceil(rows.length / size))
  const shown = Math.min(page, last)
  return { page: shown, rows: rows.slice((shown - 1) * size, shown * size) }
}
