import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { anchorOf } from './option-text.ts'

const LIT_MS = 1600

/** Shows what the fragment of the address names, a section or an option, as soon as it is drawn. */
export function useAnchor(isDrawn: boolean): void {
  const location = useLocation()
  // The place as a whole, not its fragment: a second click on the same link leads there again.
  useEffect(() => {
    const target = readTarget(location.hash)
    if (isDrawn && target !== '') showTarget(target)
  }, [isDrawn, location])
}

function showTarget(target: string): void {
  const place = document.getElementById(anchorOf(target))
  if (!place) return
  const isOption = place.hasAttribute('data-option')
  place.scrollIntoView({ block: isOption ? 'center' : 'start' })
  const control = isOption ? document.getElementById(target) : place
  control?.focus({ preventScroll: true })
  if (!isOption) return
  place.setAttribute('data-lit', '')
  setTimeout(() => place.removeAttribute('data-lit'), LIT_MS)
}

function readTarget(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
