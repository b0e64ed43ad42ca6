import { useState } from 'react'

/** The latest value that was not null. A dialog can show it during its closing animation. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}

/** Whether the value was true in any render. */
export function useEver(value: boolean): boolean {
  return useLast(value ? true : null) ?? false
}
