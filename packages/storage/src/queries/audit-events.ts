import type { Db } from '../connect.ts'

export interface AuditEvent {
  actorId: number | null
  action: string
  subject?: string
  details?: Record<string, unknown>
  clientIp?: string
  requestId?: string
}

/** Written in the transaction of the change it tells of. */
export async function record(db: Db, event: AuditEvent): Promise<void> {
  await db
    .insertInto('audit_event')
    .values({
      actor_id: event.actorId,
      action: event.action,
      subject: event.subject ?? '',
      details: JSON.stringify(event.details ?? {}),
      client_ip: event.clientIp ?? '',
      request_id: event.requestId ?? '',
    })
    .execute()
}
