import { useLocation } from 'react-router'

/** What the list tells a statement on the way: whose it is, and what to go back to. */
export interface FromList {
  /** Known already, and of a deregistered user not to be had otherwise. */
  username: string
  /** The query of the list, with its filters and page. */
  list: string
}

/** Blank for whoever came by the address alone. */
export function useFromList(): FromList {
  const state: unknown = useLocation().state
  return isFromList(state) ? state : { username: '', list: '' }
}

function isFromList(state: unknown): state is FromList {
  if (typeof state !== 'object' || state === null) return false
  const { username, list } = state as Partial<Record<keyof FromList, unknown>>
  return typeof username === 'string' && typeof list === 'string'
}
