import { useCallback } from 'react'
import { useUrlState } from '../../lib/url-state.ts'

/** What stands open beside the settings, kept in the address. It takes no step in the history: back leaves the page. */
export function usePanel() {
  const { search, change } = useUrlState()
  const asked = search.get('panel')
  const openHistory = useCallback(
    (key: string) => change({ panel: 'history', option: key === '' ? null : key }, { replace: true }),
    [change],
  )
  return {
    open: asked === 'history' || asked === 'config' ? asked : null,
    option: search.get('option') ?? '',
    openHistory,
    openConfig: () => change({ panel: 'config', option: null }, { replace: true }),
    close: () => change({ panel: null, option: null }, { replace: true }),
  } as const
}
