import { useState } from 'react'

/** Counts the openings of a drawer or dialog by subject, so that each opening starts with fresh state. */
export function useOpenings(open: boolean, subject: string | number = ''): number {
  const [state, setState] = useState({ open, subject, count: 1 })
  if (state.open !== open || state.subject !== subject) setState({ open, subject, count: state.count + (open ? 1 : 0) })
  return state.count
}
