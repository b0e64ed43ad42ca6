import type { Insertable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { StoredResponseEventTable } from '../../schema/index.ts'
import { storableId } from './stored-responses.ts'

export async function insert(db: Db, row: Omit<Insertable<StoredResponseEventTable>, 'created_at'>): Promise<void> {
  await db.insertInto('stored_response_event').values(row).execute()
}

/** The events of a response after a sequence number. */
export function listAfter(db: Db, { userId, id, after }: { userId: number; id: string; after: number }) {
  return db
    .selectFrom('stored_response_event')
    .select(['first_number', 'sealed'])
    .where('user_id', '=', userId)
    .where('response_id', '=', storableId(id))
    .where('last_number', '>', after)
    .orderBy('first_number')
    .execute()
}

/** Removes the events of streams that nobody resumes any more. The responses stay. */
export async function removeBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('stored_response_event').where('created_at', '<', before).execute()
}
