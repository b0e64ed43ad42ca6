import { useSyncExternalStore } from 'react'

/** A phone is 600 px wide or less. */
export const useIsPhone = (): boolean => useMedia('(max-width: 600px)')

/** Too narrow for a table. Rows are shown as cards. */
export const useHasCards = (): boolean => useMedia('(max-width: 767px)')

/** Widths of the screen from which tables show more columns. */
export type ScreenWidth = 1024 | 1200 | 1440 | 1600

/** The largest of these widths that the screen has, or 0. */
export function useScreenWidth(): ScreenWidth | 0 {
  const isBelow1600 = useMedia('(max-width: 1599px)')
  const isBelow1440 = useMedia('(max-width: 1439px)')
  const isBelow1200 = useMedia('(max-width: 1199px)')
  const isBelow1024 = useIsSmallScreen()
  if (isBelow1024) return 0
  if (isBelow1200) return 1024
  if (isBelow1440) return 1200
  return isBelow1600 ? 1440 : 1600
}

/** Too narrow for two columns of content beside the sidebar. */
export const useIsNarrow = (): boolean => useMedia('(max-width: 820px)')

/** Below this width the sidebar starts with icons only. */
export const useIsSmallScreen = (): boolean => useMedia('(max-width: 1023px)')

/** The user prefers reduced motion. */
export const useWantsLessMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)')

/** Whether a media query matches. Prefer the named queries above. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}
