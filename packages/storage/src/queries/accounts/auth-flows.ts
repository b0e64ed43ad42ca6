import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { AuthFlowTable } from '../../schema/index.ts'

export type AuthFlowRow = Selectable<AuthFlowTable>

const columns = [
  'ticket_hash',
  'kind',
  'service',
  'intent',
  'user_id',
  'visitor_hash',
  'aff',
  'sealed',
  'tries',
  'created_at',
  'expires_at',
  'used_at',
] as const satisfies readonly (keyof AuthFlowTable)[]

export async function insert(db: Db, flow: Insertable<AuthFlowTable>): Promise<void> {
  await db.insertInto('auth_flow').values(flow).execute()
}

/** Stores a flow; false when it exists already. */
export async function insertOnce(db: Db, flow: Insertable<AuthFlowTable>): Promise<boolean> {
  const row = await db
    .insertInto('auth_flow')
    .values(flow)
    .onConflict((conflict) => conflict.doNothing())
    .returning('ticket_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** A flow that is neither used nor expired. */
export function find(
  db: Db,
  ticketHash: string,
  kind: AuthFlowTable['kind'],
  now: Date,
): Promise<AuthFlowRow | undefined> {
  return db
    .selectFrom('auth_flow')
    .select(columns)
    .where('ticket_hash', '=', ticketHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Marks a flow as used and returns it; undefined when it does not exist, has expired or was used before. */
export function consume(
  db: Db,
  ticketHash: string,
  kind: AuthFlowTable['kind'],
  now: Date,
): Promise<AuthFlowRow | undefined> {
  return db
    .updateTable('auth_flow')
    .set({ used_at: now })
    .where('ticket_hash', '=', ticketHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst()
}

/** Counts an attempt before it is checked and returns the flow; undefined when no attempts are left. */
export function countAttempt(
  db: Db,
  ticketHash: string,
  kind: AuthFlowTable['kind'],
  now: Date,
  max: number,
): Promise<AuthFlowRow | undefined> {
  return db
    .updateTable('auth_flow')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('ticket_hash', '=', ticketHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', max)
    .returning(columns)
    .executeTakeFirst()
}

export async function removeExpired(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('auth_flow').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
