import type { UsageLog } from '@tidegate/contract/api'
import { useMedia } from '../../lib/use-media.ts'
import { openKey } from './filters.ts'

/** The rows before and after the open one. Attempts of one request count as one. */
export function neighbours(rows: readonly UsageLog[], openRow: string) {
  const keys = [...new Set(rows.map(openKey))]
  const index = keys.indexOf(openRow)
  return { previous: index > 0 ? keys[index - 1] : undefined, next: index >= 0 ? keys[index + 1] : keys[0] }
}

/** The screen is wide enough for the list and the panel side by side. */
export const useIsWide = (): boolean => !useMedia('(max-width: 1199px)')
/** The screen is wide enough for facets beside the list. */
export const useHasFacets = (): boolean => !useMedia('(max-width: 1359px)')
