import { useLocation } from 'react-router'

/** Navigation state from the list of users to a statement. */
export interface StatementOrigin {
  /** The only source of the name of a deregistered user. */
  username: string
  /** URL query of the list, with its filters and page. */
  list: string
}

/** Blank if the statement was opened by its URL. */
export function useStatementOrigin(): StatementOrigin {
  const state: unknown = useLocation().state
  return isOrigin(state) ? state : { username: '', list: '' }
}

function isOrigin(state: unknown): state is StatementOrigin {
  if (typeof state !== 'object' || state === null) return false
  const { username, list } = state as Partial<Record<keyof StatementOrigin, unknown>>
  return typeof username === 'string' && typeof list === 'string'
}
