import { Children, startTransition, useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react'

/** Longer lists render the content of a row only when the row comes near the viewport. */
const LONG_LIST = 50
/** Rows that a long list renders immediately: about those in the viewport. The next ones follow without blocking input. */
const FIRST_ROWS = 18
/** Height of a placeholder row. */
const ROW_HEIGHT = 48
const CARD_HEIGHT = 46
const NEAR = '800px 0px'

/** Whether the content of a row is deferred until the row comes near the viewport. */
export const isLate = (index: number, rows: readonly unknown[]): boolean =>
  rows.length > LONG_LIST && index >= FIRST_ROWS

interface LateProps {
  late?: boolean
}

/** A table row. The row element with its key handling is rendered immediately, its cells on demand. */
export function LateRow({ late = false, ...row }: ComponentProps<'tr'> & LateProps) {
  const place = useRef<HTMLTableRowElement>(null)
  if (useIsDrawn(place, late)) return <tr {...row} />
  return (
    <tr {...row} ref={place} style={{ height: ROW_HEIGHT }}>
      <td colSpan={Children.count(row.children)} aria-hidden />
    </tr>
  )
}

/** A card in a list, deferred like `LateRow`. */
export function LateItem({ late = false, children, ...item }: ComponentProps<'li'> & LateProps) {
  const place = useRef<HTMLLIElement>(null)
  if (useIsDrawn(place, late)) return <li {...item}>{children}</li>
  return <li {...item} ref={place} style={{ height: CARD_HEIGHT }} />
}

function useIsDrawn(place: RefObject<Element | null>, late: boolean): boolean {
  const [wasNear, setWasNear] = useState(false)
  const isWaiting = late && !wasNear
  useEffect(() => {
    const element = place.current
    if (!isWaiting || !element) return
    // Many rows come near at the same time. Rendering them must not block scrolling.
    return whenNear(element, () => startTransition(() => setWasNear(true)))
  }, [place, isWaiting])
  return !isWaiting
}

const waiting = new Map<Element, () => void>()
let observer: IntersectionObserver | undefined

/** Calls back once when the element comes near the viewport. Returns a function that stops observing. */
function whenNear(element: Element, callback: () => void): () => void {
  if (waiting.size === 0) observer = new IntersectionObserver(callNear, { rootMargin: NEAR })
  waiting.set(element, callback)
  observer?.observe(element)
  return () => stopWaiting(element)
}

function callNear(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    waiting.get(target)?.()
    stopWaiting(target)
  }
}

function stopWaiting(element: Element): void {
  waiting.delete(element)
  observer?.unobserve(element)
}
