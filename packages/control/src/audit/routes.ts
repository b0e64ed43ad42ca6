import { api, pageAnswer } from '@tidegate/contract'
import { auditEvents, type AuditRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'

export function registerAudit(serve: Serve, { db }: Pick<Deps, 'db'>): void {
  serve(api.listAuditEvents, async ({ query: { filters, page } }) => {
    const [rows, total] = await Promise.all([auditEvents.page(db, filters, page), auditEvents.count(db, filters)])
    return pageAnswer(rows.map(auditView), total, page)
  })
}

function auditView(row: AuditRow): api.AuditEvent {
  return {
    id: row.id,
    created_at: Math.floor(row.created_at.getTime() / 1000),
    actor_id: row.actor_id ?? 0,
    actor: row.actor ?? '',
    token: row.token,
    action: row.action,
    subject: row.subject,
    details: row.details,
    client_ip: row.client_ip,
    request_id: row.request_id,
  }
}
