import { useCallback, useEffect, useRef, useState } from 'react'

/** Nearer than this to the end counts as being there. */
const NEAR_PX = 48

/**
 * Keeps a place that scrolls at its end while its content grows, until the person scrolls up. Whenever `key` changes it
 * goes to the end.
 */
export function useStickToEnd(key: string) {
  const place = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isStuck = useRef(true)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const toEnd = useCallback(() => {
    isStuck.current = true
    place.current!.scrollTop = place.current!.scrollHeight
  }, [])

  useEffect(toEnd, [key, toEnd])
  useEffect(() => {
    const scrolling = place.current!
    let height = scrolling.scrollHeight
    const follow = new ResizeObserver(() => {
      height = scrolling.scrollHeight
      if (isStuck.current) scrolling.scrollTop = height
      setIsAtEnd(isStuck.current)
    })
    const look = () => {
      // Content that shrinks moves the view too; that was nobody's wish.
      if (scrolling.scrollHeight !== height) return
      isStuck.current = height - scrolling.scrollTop - scrolling.clientHeight < NEAR_PX
      setIsAtEnd(isStuck.current)
    }
    follow.observe(content.current!)
    follow.observe(scrolling)
    scrolling.addEventListener('scroll', look, { passive: true })
    return () => {
      follow.disconnect()
      scrolling.removeEventListener('scroll', look)
    }
  }, [])
  return { place, content, isAtEnd, toEnd }
}
