import { stored } from '../../lib/stored.ts'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { wholeNumber } from '../../lib/whole-number.ts'

/** Rows are short, so the log starts with more of them than other lists. */
const PAGES = { defaultSize: 50 } as const

export interface LogPages {
  /** 1-based. */
  page: number
  size: number
  /** Where the page begins. Missing on the first page, and in old links, which have a page number only. */
  cursor: string | undefined
  older(cursor: string): void
  newer(): void
  newest(): void
  resize(size: number): void
}

/** The page before each page that was opened from it, for as long as the console is open. */
const newerPages = new Map<string, string>()

/**
 * Pages by cursor: new rows do not move the rows of a page. The URL parameter `page` is `3.<cursor>`. It is one
 * parameter because each change of the filters removes it.
 */
export function useLogPages(list: string): LogPages {
  const { search, change } = useUrlState()
  const { size, turn } = usePageState(stored.pageSize, PAGES)
  const current = search.get('page') ?? ''
  const [number = '', cursor] = current.split('.')
  const page = Math.max(wholeNumber(number) ?? 1, 1)
  const key = (at: string) => `${list} ${at}`
  return {
    page,
    size,
    cursor: page > 1 ? cursor : undefined,
    older(next) {
      const at = `${page + 1}.${next}`
      newerPages.set(key(at), current)
      change({ page: at })
    },
    // A shared link has no pages before it, so the page number finds the rows.
    newer: () => change({ page: newerPages.get(key(current)) ?? (page > 2 ? page - 1 : null) }),
    newest: () => turn(1, size),
    resize: (next) => turn(1, next),
  }
}
