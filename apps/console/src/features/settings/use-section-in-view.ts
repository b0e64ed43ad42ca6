import { useEffect, useState } from 'react'
import { anchorOf } from './option-text.ts'
import type { SectionId } from './sections/index.ts'

/** Below the top bar, in the upper part of the window, is what a person reads. */
const READ_FROM_PX = 120

/** The section that is being read: the last one whose beginning has passed the top of the page. */
export function useSectionInView(ids: readonly SectionId[]): SectionId | undefined {
  const [current, setCurrent] = useState(ids[0])
  const joined = ids.join()
  useEffect(() => {
    const look = () => {
      const known = joined.split(',') as SectionId[]
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.body.scrollHeight - 2
      const passed = known.filter((id) => topOf(id) <= READ_FROM_PX)
      setCurrent(isAtEnd ? known.at(-1) : (passed.at(-1) ?? known[0]))
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [joined])
  return current
}

function topOf(id: SectionId): number {
  return document.getElementById(anchorOf(id))?.getBoundingClientRect().top ?? Infinity
}
