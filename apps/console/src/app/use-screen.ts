import { useMatches } from 'react-router'
import type { ScreenHandle } from './route-table.ts'

/** The screen that the address leads to. */
export function useScreen(): ScreenHandle {
  const matches = useMatches()
  return (matches.at(-1)?.handle as ScreenHandle | undefined) ?? { guard: 'none', title: 'notFound' }
}
