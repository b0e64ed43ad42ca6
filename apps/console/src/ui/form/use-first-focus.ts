import { useEffect, useRef } from 'react'
import type { InputRef } from '../kit/index.ts'

/** Focuses the main field of a page or drawer when it mounts. */
export function useFirstFocus() {
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return field
}
