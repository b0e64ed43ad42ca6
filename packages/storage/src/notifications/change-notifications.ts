import { sql } from 'kysely'
import type { Db } from '../connection/connect.ts'

/** A change that other processes must learn of immediately. It names what changed, not the new value. */
export type ChangeNotification =
  | { kind: 'catalog'; version: number }
  | { kind: 'caller'; tokenHash?: string; userId?: number }
  /** Console sessions or tokens of the user ended: open event streams are checked again. */
  | { kind: 'session'; userId: number }
  /**
   * An administrator changed the balance: gateways return their credit leases, so that the next request sees the new
   * one.
   */
  | { kind: 'credit'; userId: number }
  /** The inboxes of users with IDs in this range may have changed. */
  | { kind: 'inbox'; from: number; to: number }

export const NOTIFICATION_CHANNEL = 'tidegate'

/** Inside a transaction the notification is sent with the commit, and dropped on rollback. */
export async function publish(db: Db, notification: ChangeNotification): Promise<void> {
  await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${JSON.stringify(notification)})`.execute(db)
}

/** Undefined for invalid text and for kinds of a newer build. */
export function parseNotification(text: string): ChangeNotification | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  const { kind, version, tokenHash, userId, from, to } = value as Record<string, unknown>
  if (kind === 'catalog' && typeof version === 'number') return { kind, version }
  if ((kind === 'session' || kind === 'credit') && typeof userId === 'number') return { kind, userId }
  if (kind === 'inbox' && typeof from === 'number' && typeof to === 'number') return { kind, from, to }
  if (kind !== 'caller') return undefined
  return {
    kind,
    ...(typeof tokenHash === 'string' ? { tokenHash } : {}),
    ...(typeof userId === 'number' ? { userId } : {}),
  }
}
