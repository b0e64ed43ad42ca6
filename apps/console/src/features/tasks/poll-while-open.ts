import { isUnreachable } from '../../api/errors.ts'
import { isOpen } from './task-status.tsx'

const POLL_MS = 3000

interface ListState {
  data: { items: readonly { status: string }[] } | undefined
  error: Error | null
}

/**
 * When a list is to be asked for again: soon while a task on it is open, else not at all. A refusal ends it, because it
 * would be told every time; a server that is away is told by a banner and may come back. Nobody asks from a hidden tab.
 */
export function pollWhileOpen({ state: { data, error } }: { state: ListState }): number | false {
  if (error && !isUnreachable(error)) return false
  return data?.items.some(isOpen) ? POLL_MS : false
}
