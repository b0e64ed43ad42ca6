import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'

export interface NewPaymentEvent {
  /** Null when the event belongs to no order of this site. */
  topUpId: number | null
  provider: string
  kind: 'callback' | 'recheck'
  /** The provider's event ID. An event with an ID is stored once. */
  eventId?: string | null
  type?: string
  occurredAt?: Date | null
  outcome: string
  details: Record<string, unknown>
  clientIp: string
}

export interface StoredPaymentEvent {
  id: number
  outcome: string
  deliveries: number
}

/**
 * Stores an event, or counts another delivery of it and returns the first outcome. The row stays locked until the
 * transaction ends, so that a second delivery waits for the first.
 */
export async function record(db: Db, event: NewPaymentEvent): Promise<StoredPaymentEvent> {
  return db
    .insertInto('payment_event')
    .values({
      top_up_id: event.topUpId,
      provider: event.provider,
      kind: event.kind,
      event_id: event.eventId ?? null,
      type: event.type ?? '',
      occurred_at: event.occurredAt ?? null,
      outcome: event.outcome,
      details: jsonText(event.details),
      client_ip: event.clientIp,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'event_id'])
        .where('event_id', 'is not', null)
        .doUpdateSet({ deliveries: sql`payment_event.deliveries + 1` }),
    )
    .returning(['id', 'outcome', 'deliveries'])
    .executeTakeFirstOrThrow()
}

export async function setOutcome(db: Db, id: number, topUpId: number | null, outcome: string): Promise<void> {
  await db.updateTable('payment_event').set({ top_up_id: topUpId, outcome }).where('id', '=', id).execute()
}

/** Removes events without an order of this site. Other products may share the provider account. */
export async function removeUnrelated(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('payment_event').where('top_up_id', 'is', null).where('created_at', '<', before).execute()
}

/** The latest events of an order, oldest first. */
export async function listOf(db: Db, topUpId: number) {
  const newest = await db
    .selectFrom('payment_event')
    .selectAll()
    .where('top_up_id', '=', topUpId)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return newest.toReversed()
}
