import { useState } from 'react'

/** Counts how often something was opened, for this subject or another: each time is a new beginning. */
export function useOpenings(open: boolean, subject: string | number = ''): number {
  const [state, setState] = useState({ open, subject, count: 1 })
  if (state.open !== open || state.subject !== subject) setState({ open, subject, count: state.count + (open ? 1 : 0) })
  return state.count
}
