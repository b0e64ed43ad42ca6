import { useUrlState } from '../../../lib/url-state.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { wholeNumber } from '../../../lib/whole-number.ts'

export const PANEL_TABS = ['overview', 'models', 'keys', 'settings', 'history'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** Below this width the panel covers the list. */
const BESIDE = '(min-width: 1200px)'

export const useHasRoomForPanel = (): boolean => useMedia(BESIDE)

/** The side panel in the URL parameters `panel` and `tab`. `ids` are the channels of the page, in order. */
export function usePanel(ids: readonly number[]) {
  const { search, change } = useUrlState()
  const current = wholeNumber(search.get('panel'))
  const id = useLast(current) // the content stays while the drawer closes
  const tab = PANEL_TABS.find((known) => known === search.get('tab')) ?? 'overview'
  const at = current === null ? -1 : ids.indexOf(current)
  const [previous, next] = at === -1 ? [] : [ids[at - 1], ids[at + 1]]
  const show = (channel: number, to?: string) =>
    change({ panel: channel, tab: to ?? (channel === current ? (search.get('tab') ?? null) : null) })
  const close = () => change({ panel: null, tab: null })
  const goTo = (channel: number | undefined) =>
    channel === undefined ? undefined : () => change({ panel: channel }, { replace: true })
  const open = current !== null
  return {
    id,
    open,
    show,
    close,
    /** Moves by one channel; false while the panel is closed. */
    step(by: 1 | -1): boolean {
      goTo(by === 1 ? next : previous)?.()
      return open
    },
    props: {
      open,
      tab,
      onTab: (to: PanelTab) => change({ tab: to === 'overview' ? null : to }, { replace: true }),
      onClose: close,
      onPrevious: goTo(previous),
      onNext: goTo(next),
    },
  }
}
