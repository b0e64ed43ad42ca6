import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { StoredItem } from './stored-item.ts'
import { wholeNumber } from './whole-number.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, stored, type PageSize } from './stored.ts'

type Changes = Record<string, string | number | null>

export interface ChangeOptions {
  replace?: boolean
  preventScrollReset?: boolean
}

/** The last change, until it is rendered. The next change builds on it, or it would undo the last one. */
let pending: { place: string; from: string; to: string } | undefined

/** Reads and writes the query of the URL, so that users can share links to their current view. */
export function useUrlState() {
  const [search, setSearch] = useSearchParams()
  const { key: place } = useLocation()
  useEffect(() => {
    if (pending?.place !== place) pending = undefined
  }, [place])
  // Going back before a change is rendered restores the same location key, so the effect above does not run.
  useEffect(() => {
    const drop = () => (pending = undefined)
    window.addEventListener('popstate', drop)
    return () => window.removeEventListener('popstate', drop)
  }, [])
  const change = useCallback(
    (changes: Changes, options: ChangeOptions = {}) => {
      setSearch((before) => {
        const from = before.toString()
        const next = new URLSearchParams(pending?.place === place && pending.from === from ? pending.to : from)
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name)
          else next.set(name, String(value))
        }
        pending = { place, from, to: next.toString() }
        return next
      }, options)
    },
    [setSearch, place],
  )
  return { search, change }
}

export interface PageState {
  /** 1-based. */
  page: number
  size: PageSize
  turn(page: number, size: number): void
}

/** Page and page size in the URL. The page size is also stored as the default for other lists. */
export function usePageState(
  remembered: StoredItem<PageSize> = stored.pageSize,
  { defaultSize = DEFAULT_PAGE_SIZE, ...options }: ChangeOptions & { defaultSize?: PageSize } = {},
): PageState {
  const { search, change } = useUrlState()
  const size = PAGE_SIZES.find((known) => String(known) === search.get('size')) ?? remembered.get() ?? defaultSize
  const pageNumber = Number(search.get('page'))
  return {
    page: Number.isSafeInteger(pageNumber) && pageNumber > 0 ? pageNumber : 1,
    size,
    turn(page, nextSize) {
      const chosen = PAGE_SIZES.find((known) => known === nextSize) ?? size
      if (chosen !== size) remembered.set(chosen)
      const place = {
        page: chosen === size && page > 1 ? page : null,
        size: chosen === defaultSize ? null : chosen,
      }
      change(place, options)
    },
  }
}

/** The drawer or dialog over a list, in the URL parameters `drawer` and `id`. */
export interface DrawerProps {
  open: boolean
  onClose(): void
}

/** @param further URL parameters of the drawers, removed when a drawer closes. */
export function useDrawerState(further: readonly string[] = []) {
  const { search, change } = useUrlState()
  const [name, id] = [search.get('drawer'), wholeNumber(search.get('id'))]
  // Drawers stay mounted after the first opening, so that they can be animated out.
  const [opened, setOpened] = useState<ReadonlyMap<string, number | null>>(new Map())
  if (name !== null && opened.get(name) !== id) setOpened(new Map(opened).set(name, id))
  const onClose = () => change(Object.fromEntries(['drawer', 'id', ...further].map((parameter) => [parameter, null])))
  return {
    open: (drawer: string, of?: number) => change({ drawer, id: of ?? null }),
    close: onClose,
    /** Renders a drawer once it was opened. */
    render: (drawer: string, children: (props: DrawerProps) => ReactNode) =>
      opened.has(drawer) ? children({ open: name === drawer, onClose }) : null,
    /** Like `render`, for a drawer with the ID of an object. */
    renderFor: (drawer: string, children: (props: DrawerProps & { id: number }) => ReactNode) => {
      const last = opened.get(drawer) ?? null
      return last === null ? null : children({ id: last, open: name === drawer && id !== null, onClose })
    },
  }
}
