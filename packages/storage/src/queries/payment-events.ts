import type { Db } from '../connect.ts'
import { jsonText } from '../json-text.ts'

export interface NewPaymentEvent {
  /** Null when what was said names no order of ours. */
  topUpId: number | null
  provider: string
  kind: 'callback' | 'recheck'
  outcome: string
  details: Record<string, unknown>
  clientIp: string
}

export async function record(db: Db, event: NewPaymentEvent): Promise<void> {
  await db
    .insertInto('payment_event')
    .values({
      top_up_id: event.topUpId,
      provider: event.provider,
      kind: event.kind,
      outcome: event.outcome,
      details: jsonText(event.details),
      client_ip: event.clientIp,
    })
    .execute()
}

/** What was said about an order lately, first to last. */
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
