import { api, pageAnswer } from '@tidegate/contract'
import { usageLogs } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import { logView, ownLogView } from './log-view.ts'

export function registerLogs(serve: Serve, { db }: Pick<Deps, 'db'>): void {
  serve(api.listLogs, async ({ query: { filters, page } }) => {
    const [rows, total] = await Promise.all([usageLogs.page(db, filters, page), usageLogs.count(db, filters)])
    return pageAnswer(rows.map(logView), total, page)
  })
  serve(api.listOwnLogs, async ({ actor, query: { filters, page } }) => {
    const own = { ...filters, userId: actor.id }
    const [rows, total] = await Promise.all([usageLogs.page(db, own, page), usageLogs.count(db, own)])
    return pageAnswer(rows.map(ownLogView), total, page)
  })
}
