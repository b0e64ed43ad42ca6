import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import { fromSeconds } from '../../log-store/log-store.ts'

export interface AuditEvent {
  actorId: number | null
  action: string
  subject?: string
  details?: Record<string, unknown>
  clientIp?: string
  requestId?: string
  /** The name of the automation token that acted. */
  tokenName?: string
}

/** Call it in the transaction of the change. */
export async function record(db: Db, event: AuditEvent): Promise<void> {
  await db
    .insertInto('audit_event')
    .values({
      actor_id: event.actorId,
      action: event.action,
      subject: event.subject ?? '',
      details: jsonText(event.details ?? {}),
      client_ip: event.clientIp ?? '',
      request_id: event.requestId ?? '',
      token: event.tokenName ?? '',
    })
    .execute()
}

export interface AuditFilters {
  actor_id?: number
  /** An area (`user`) or one action (`user.promote`). */
  action?: string
  subject?: string
  start_timestamp?: number
  end_timestamp?: number
  without_logins?: boolean
}

export function page(db: Db, filters: AuditFilters, { limit, offset }: { limit: number; offset: number }) {
  return applyFilters(db, filters)
    .leftJoin('user', 'user.id', 'audit_event.actor_id')
    .select([
      'audit_event.id',
      'audit_event.actor_id',
      'user.username as actor',
      'audit_event.action',
      'audit_event.subject',
      'audit_event.details',
      'audit_event.client_ip',
      'audit_event.request_id',
      'audit_event.token',
      'audit_event.created_at',
    ])
    .orderBy('audit_event.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export type AuditRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: AuditFilters): Promise<number> {
  const { total } = await applyFilters(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function find(db: Db, id: number) {
  return db
    .selectFrom('audit_event')
    .select(['id', 'action', 'subject', 'details'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Whether a user did this to their own account since a time. */
export async function existsSince(db: Db, actorId: number, action: string, since: Date): Promise<boolean> {
  const found = await db
    .selectFrom('audit_event')
    .select('id')
    .where('actor_id', '=', actorId)
    .where('action', '=', action)
    .where('subject', '=', String(actorId))
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** By far the most frequent event. */
const LOGIN = 'user.login'

export function applyFilters(db: Db, filters: AuditFilters) {
  const { actor_id, action, subject, start_timestamp, end_timestamp, without_logins = false } = filters
  let query = db.selectFrom('audit_event')
  if (actor_id !== undefined) query = query.where('audit_event.actor_id', '=', actor_id)
  if (action !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('audit_event.action', '=', action), eb(sql`split_part(action, '.', 1)`, '=', action)]),
    )
  }
  if (without_logins) query = query.where('audit_event.action', '<>', LOGIN)
  if (subject !== undefined) query = query.where('audit_event.subject', '=', subject)
  if (start_timestamp) query = query.where('audit_event.created_at', '>=', fromSeconds(start_timestamp))
  if (end_timestamp) query = query.where('audit_event.created_at', '<', fromSeconds(end_timestamp + 1))
  return query
}
