import { useEffect, useRef } from 'react'
import type { InputRef } from '../kit/index.ts'

/** For the field that a screen or drawer exists for: it has the focus as soon as it is there. */
export function useFirstFocus() {
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return field
}
