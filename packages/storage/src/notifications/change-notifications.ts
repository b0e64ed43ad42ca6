import { sql } from 'kysely'
import type { Db } from '../connection/connect.ts'

/** What other processes must know at once. Small: a notice says that something changed, never what it is now. */
export type Notice =
  | { kind: 'catalog'; version: number }
  | { kind: 'caller'; tokenHash?: string; userId?: number }
  /** Sessions or tokens of the console ended: streams that the user has open are checked again. */
  | { kind: 'session'; userId: number }
  /** An administrator changed the balance: return what is held of it, so that the next call is judged by the new one. */
  | { kind: 'credit'; userId: number }
  /** The inboxes of users whose ids lie from one to the other may hold something else than before. */
  | { kind: 'inbox'; from: number; to: number }

export const NOTICE_CHANNEL = 'tidegate'

/** Inside a transaction the notice leaves with the commit, and not at all if there is none. */
export async function publish(db: Db, notification: Notice): Promise<void> {
  await sql`select pg_notify(${NOTICE_CHANNEL}, ${JSON.stringify(notification)})`.execute(db)
}

/** Undefined for a text that is no notice, or is of a kind a newer build sends. */
export function readNotice(text: string): Notice | undefined {
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
