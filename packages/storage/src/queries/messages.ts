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
