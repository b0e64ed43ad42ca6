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
  /** A process checks whether it receives notifications. */
  | { kind: 'echo'; id: string }

export const NOTIFICATION_CHANNEL = 'tidegate'

/** Inside a transaction the notification is sent with the commit, and dropped on rollback. */
export async function publish(db: Db, notification: ChangeNotification): Promise<void> {
  await sql`
    select pg_notify(${NOTIFICATION_CHANNEL}, ${JSON.stringify(notification)}), nextval('change_counter')`.execute(db)
}

/** Is not counted as a change. */
export async function publishEcho(db: Db, id: string): Promise<void> {
  const echo: ChangeNotification = { kind: 'echo', id }
  await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${JSON.stringify(echo)})`.execute(db)
}

/** Grows with each change, before its transaction ends. */
export async function readChangeCounter(db: Db): Promise<string> {
  const { rows } = await sql<{ count: string }>`select last_value::text as count from change_counter`.execute(db)
  return rows[0]!.count
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
  const { kind, version, tokenHash, userId, from, to, id } = value as Record<string, unknown>
  if (kind === 'catalog' && typeof version === 'number') return { kind, version }
  if ((kind === 'session' || kind === 'credit') && typeof userId === 'number') return { kind, userId }
  if (kind === 'inbox' && typeof from === 'number' && typeof to === 'number') return { kind, from, to }
  if (kind === 'echo' && typeof id === 'string') return { kind, id }
  if (kind !== 'caller') return undefined
  return {
    kind,
    ...(typeof tokenHash === 'string' ? { tokenHash } : {}),
    ...(typeof userId === 'number' ? { userId } : {}),
  }
}
