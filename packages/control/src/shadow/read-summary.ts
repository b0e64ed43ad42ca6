import { api } from '@tidegate/contract'
import { shadowSums, type ShadowSpan } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

export async function readSummary(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  span: ShadowSpan,
): Promise<api.ShadowSummary> {
  const { ShadowEnabled: enabled, ShadowShare: share } = catalog().settings
  const [sums, refused, models, routes, dropped] = await Promise.all([
    shadowSums.total(db, span),
    shadowSums.byRefusal(db, span),
    shadowSums.byModel(db, span, api.SHADOW_ROWS_SHOWN),
    shadowSums.byRoute(db, span, api.SHADOW_ROWS_SHOWN),
    shadowSums.dropped(db, span),
  ])
  return { enabled, share, ...sums, refused, models, routes, dropped }
}
