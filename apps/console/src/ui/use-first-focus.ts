import type { InputRef } from 'antd'
import { useEffect, useRef } from 'react'

/** For the field that a screen or drawer exists for: it has the focus as soon as it is there. */
export function useFirstFocus() {
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return field
}
