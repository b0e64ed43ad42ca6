import { useSyncExternalStore } from 'react'

/** A phone is 600 px wide or less. */
export const useIsPhone = (): boolean => useMedia('(max-width: 600px)')

/** Too narrow for a table beside the sidebar. Rows are shown as cards. */
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
