import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { storableId } from './stored-responses.ts'
import type { ConversationItemTable, ConversationTable } from '../../schema/index.ts'

export type ConversationRow = Pick<Selectable<ConversationTable>, 'id' | 'sealed' | 'created_at'>
export type NewConversationItem = Omit<Insertable<ConversationItemTable>, 'position'>
export type ConversationItemRow = Pick<Selectable<ConversationItemTable>, 'id' | 'sealed'>

export async function insert(db: Db, conversation: Insertable<ConversationTable>): Promise<void> {
  await db.insertInto('conversation').values(conversation).execute()
}

export function find(db: Db, userId: number, id: string): Promise<ConversationRow | undefined> {
  return db
    .selectFrom('conversation')
    .select(['id', 'sealed', 'created_at'])
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .executeTakeFirst()
}

/** Whether another user has a conversation with this id. */
export async function isOfAnother(db: Db, userId: number, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', storableId(id))
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function change(db: Db, userId: number, id: string, sealed: string): Promise<void> {
  await db
    .updateTable('conversation')
    .set({ sealed })
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .execute()
}

/** Whether there was one. Its items are deleted too. */
export async function remove(db: Db, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('conversation')
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** All items, the first one first. */
export function listItems(db: Db, userId: number, conversationId: string): Promise<ConversationItemRow[]> {
  return db
    .selectFrom('conversation_item')
    .select(['id', 'sealed'])
    .where('user_id', '=', userId)
    .where('conversation_id', '=', storableId(conversationId))
    .orderBy('position')
    .execute()
}

/** Adds items in their order, and keeps the conversation until then. Nothing if it was deleted meanwhile. */
export async function addItems(
  db: Db,
  { userId, id, expiresAt }: { userId: number; id: string; expiresAt: Date },
  items: readonly NewConversationItem[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('conversation')
      .set({ expires_at: sql`greatest(expires_at, ${expiresAt})` })
      .where('user_id', '=', userId)
      .where('id', '=', storableId(id))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n || items.length === 0) return
    await transaction
      .insertInto('conversation_item')
      .values([...items])
      .execute()
  })
}

export async function removeItem(
  db: Db,
  userId: number,
  { conversationId, id }: { conversationId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('conversation_item')
    .where('user_id', '=', userId)
    .where('conversation_id', '=', storableId(conversationId))
    .where('id', '=', storableId(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends what would be kept for longer than the current retention. */
export async function shortenRetention(db: Db, latest: Date): Promise<void> {
  await db.updateTable('conversation').set({ expires_at: latest }).where('expires_at', '>', latest).execute()
}

/** Removes at most `limit` expired conversations and returns their number. */
export async function removeExpired(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from conversation where (user_id, id) in (
      select user_id, id from conversation where expires_at <= ${now} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
