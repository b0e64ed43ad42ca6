import { api, toPage } from '@tidegate/contract'
import { auditEvents, type ShadowCallRow, shadowCalls, type ShadowSpan, shadowSums } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { matchRequests } from './match-requests.ts'

/** Mirrored requests, compared with the log of the old gateway. */
export function registerShadow(serve: Serve, deps: Pick<Deps, 'db' | 'catalog' | 'now'>): void {
  const { db } = deps
  serve(api.getShadowSummary, ({ query }) => readSummary(deps, query))
  serve(api.listShadowCalls, async ({ query: { filters, page } }) => {
    const [rows, total] = await Promise.all([shadowCalls.page(db, filters, page), shadowCalls.count(db, filters)])
    return toPage(rows.map(requestView), total, page)
  })
  serve(api.matchShadowCalls, async ({ actor, origin }) => {
    const found = await matchRequests(deps)
    await auditEvents.record(db, { actorId: actor.id, action: 'shadow.match', details: found, ...origin })
    return found
  })
  serve(api.clearShadowCalls, ({ actor, origin }) =>
    db.transaction().execute(async (transaction) => {
      const removed = await shadowCalls.clear(transaction)
      await auditEvents.record(transaction, {
        actorId: actor.id,
        action: 'shadow.clear',
        details: { removed },
        ...origin,
      })
      return removed
    }),
  )
}

async function readSummary(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  span: ShadowSpan,
): Promise<api.ShadowSummary> {
  const { ShadowEnabled: enabled, ShadowShare: share } = catalog().settings
  const [sums, refused, models, routes, dropped] = await Promise.all([
    shadowSums.total(db, span),
    shadowSums.byErrorCode(db, span),
    shadowSums.byModel(db, span, api.SHADOW_ROWS_SHOWN),
    shadowSums.byRoute(db, span, api.SHADOW_ROWS_SHOWN),
    shadowSums.countDropped(db, span),
  ])
  return { enabled, share, ...sums, refused, models, routes, dropped }
}

/** Names are blank for deleted users, tokens and channels. */
function requestView(row: ShadowCallRow): api.ShadowCall {
  const { created_at, username, token_name, channel_name, old_log_at, old_channel_name, ...rest } = row
  return {
    ...rest,
    created_at: toSeconds(created_at),
    username: username ?? '',
    token_name: token_name ?? '',
    channel_name: channel_name ?? '',
    old_log_at: old_log_at && toSeconds(old_log_at),
    old_channel_name: old_channel_name ?? '',
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
