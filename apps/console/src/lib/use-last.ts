import { useState } from 'react'

/** The latest value that was one: what closes can still show what it was about while it leaves. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}

/** Whether something was ever so. */
export function useEver(value: boolean): boolean {
  return useLast(value ? true : null) ?? false
}
