import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { publish } from '../../notifications/change-notifications.ts'

/** Messages in a user's inbox, newest first. */
export function page(db: Db, userId: number, { limit, offset }: { limit: number; offset: number }) {
  return inboxOf(db, userId)
    .orderBy('message_recipient.created_at', 'desc')
    .orderBy('message_recipient.message_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export type InboxRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, userId: number): Promise<number> {
  const { total } = await db
    .selectFrom('message_recipient')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return total
}

export function find(db: Db, userId: number, messageId: number): Promise<InboxRow | undefined> {
  return inboxOf(db, userId).where('message_recipient.message_id', '=', messageId).executeTakeFirst()
}

/** Marks one message or all as read and returns how many were unread. The first read time stays. */
export async function markRead(
  db: Db,
  userId: number,
  { messageId, now }: { messageId?: number; now: Date },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let marking = transaction
      .updateTable('message_recipient')
      .set({ read_at: now })
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
    if (messageId !== undefined) marking = marking.where('message_id', '=', messageId)
    const { numUpdatedRows } = await marking.executeTakeFirst()
    if (numUpdatedRows > 0n) await publish(transaction, { kind: 'inbox', from: userId, to: userId })
    return Number(numUpdatedRows)
  })
}

export async function has(db: Db, userId: number, messageId: number): Promise<boolean> {
  const receipt = await db
    .selectFrom('message_recipient')
    .select('message_id')
    .where('user_id', '=', userId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return receipt !== undefined
}

/** The number of unread messages of each user. */
export async function unreadCounts(db: Db, userIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map(userIds.map((id) => [id, 0]))
  if (userIds.length === 0) return counts
  const rows = await db
    .selectFrom('message_recipient')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('unread')])
    .where('user_id', '=', sql<number>`any (${userIds}::bigint[])`)
    .where('read_at', 'is', null)
    .groupBy('user_id')
    .execute()
  for (const { user_id, unread } of rows) counts.set(user_id, unread)
  return counts
}

export async function unreadCount(db: Db, userId: number): Promise<number> {
  return (await unreadCounts(db, [userId])).get(userId)!
}

function inboxOf(db: Db, userId: number) {
  return db
    .selectFrom('message_recipient')
    .innerJoin('message', 'message.id', 'message_recipient.message_id')
    .select([
      'message.id',
      'message.title',
      'message.content',
      'message.format',
      'message_recipient.created_at',
      'message_recipient.read_at',
    ])
    .where('message_recipient.user_id', '=', userId)
}
