import { Children, startTransition, useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react'

/** Longer lists draw the content of a row only when the row comes near the window. */
const LONG_LIST = 50
/** Rows that a long list draws at once: more than a window shows. */
const DRAWN_AT_ONCE = 30
/** Space of a row that is not drawn yet. */
const ROW_HEIGHT = 48
const CARD_HEIGHT = 120
const NEAR = '800px 0px'

/** Whether a row of a list waits until it comes near the window. */
export const isLate = (index: number, rows: readonly unknown[]): boolean =>
  rows.length > LONG_LIST && index >= DRAWN_AT_ONCE

interface Late {
  late?: boolean
}

/** A table row. Its place and its key handling exist from the start, its cells when they are needed. */
export function LateRow({ late = false, ...row }: ComponentProps<'tr'> & Late) {
  const place = useRef<HTMLTableRowElement>(null)
  if (useIsDrawn(place, late)) return <tr {...row} />
  return (
    <tr {...row} ref={place} style={{ height: ROW_HEIGHT }}>
      <td colSpan={Children.count(row.children)} aria-hidden />
    </tr>
  )
}

/** An entry of a list of cards, like `LateRow`. */
export function LateItem({ late = false, children, ...item }: ComponentProps<'li'> & Late) {
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
    // Many rows come near at once: drawing them must not hold up scrolling.
    return whenNear(element, () => startTransition(() => setWasNear(true)))
  }, [place, isWaiting])
  return !isWaiting
}

const waiting = new Map<Element, () => void>()
let observer: IntersectionObserver | undefined

/** Calls back once when the element comes near the window. Returns a function that stops waiting. */
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
