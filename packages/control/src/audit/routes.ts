import { api, toPage } from '@tidegate/contract'
import { auditEvents, type AuditRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { sendStream } from '../http/send-stream.ts'
import type { Serve } from '../serve.ts'
import { exportAuditEvents } from './export-events.ts'

export function registerAudit(serve: Serve, { db, reportsDb }: Pick<Deps, 'db' | 'reportsDb'>): void {
  serve(api.listAuditEvents, async ({ query: { filters, page } }) => {
    const [rows, total] = await Promise.all([auditEvents.page(db, filters, page), auditEvents.count(db, filters)])
    return toPage(rows.map(auditView), total, page)
  })

  serve(api.exportAuditEvents, async ({ actor, query, origin, reply }) => {
    await auditEvents.record(db, { actorId: actor.id, action: 'audit.export', details: query, ...origin })
    const headers = {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-trail.jsonl"',
    }
    await sendStream(reply, headers, (signal) => exportAuditEvents(reportsDb, query, signal))
    return ''
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
