import { api, pageAnswer } from '@tidegate/contract'
import { auditEvents, shadowCalls } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { callView } from './call-view.ts'
import { matchCalls } from './match-requests.ts'
import { readSummary } from './read-summary.ts'

/** Copies of calls: what would have become of them here, beside the log of the old gateway. */
export function registerShadow(serve: Serve, deps: Pick<Deps, 'db' | 'catalog' | 'now'>): void {
  const { db } = deps
  serve(api.getShadowSummary, ({ query }) => readSummary(deps, query))
  serve(api.listShadowCalls, async ({ query: { filters, page } }) => {
    const [rows, total] = await Promise.all([shadowCalls.page(db, filters, page), shadowCalls.count(db, filters)])
    return pageAnswer(rows.map(callView), total, page)
  })
  serve(api.matchShadowCalls, async ({ actor, origin }) => {
    const found = await matchCalls(deps)
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
