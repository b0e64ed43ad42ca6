import { sql } from 'kysely'
import type { Db } from '../connect.ts'

export interface NewMessage {
  title: string
  /** Markdown. */
  content: string
  /** 0 when the site itself writes. */
  createdBy: number
}

export async function send(db: Db, message: NewMessage, recipients: readonly number[]): Promise<void> {
  if (recipients.length === 0) return
  const { id } = await db
    .insertInto('message')
    .values({ title: message.title, content: message.content, created_by: message.createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('message_recipient')
    .values(recipients.map((user_id) => ({ user_id, message_id: id })))
    .execute()
}

/** How often a user was told the same thing by the site itself within the last minutes. */
export async function countTold(
  db: Db,
  { userId, title, minutes }: { userId: number; title: string; minutes: number },
): Promise<number> {
  const { told } = await db
    .selectFrom('message_recipient')
    .innerJoin('message', 'message.id', 'message_recipient.message_id')
    .select((eb) => eb.fn.countAll<number>().as('told'))
    .where('message_recipient.user_id', '=', userId)
    .where('message_recipient.created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .where('message.created_by', '=', 0)
    .where('message.title', '=', title)
    .executeTakeFirstOrThrow()
  return told
}
