import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { containsPattern } from '../../connection/values.ts'
import { publish } from '../../notifications/change-notifications.ts'
import type { MessageTable } from '../../schema/index.ts'
import { addReceipts } from './inbox-receipts.ts'

export interface NewMessage {
  title: string
  /** Markdown. */
  content: string
  /** 0 for messages of the system. */
  createdBy: number
}

/** Adds a message directly to inboxes. */
export async function send(db: Db, message: NewMessage, recipients: readonly number[]): Promise<void> {
  if (recipients.length === 0) return
  const { title, content, createdBy } = message
  const { id } = await insert(db, {
    title,
    content,
    created_by: createdBy,
    ...sentColumns(recipients.length, new Date()),
  })
  await addReceipts(db, id, recipients)
}

/** The columns of a message that was sent already. */
export function sentColumns(recipients: number, at: Date) {
  return { state: 'sent', sent_at: at, planned: recipients, delivered: recipients } as const
}

/** How many system messages with this title a user got within the last minutes. */
export async function countRecent(
  db: Db,
  { userId, title, minutes }: { userId: number; title: string; minutes: number },
): Promise<number> {
  const { total } = await db
    .selectFrom('message_recipient')
    .innerJoin('message', 'message.id', 'message_recipient.message_id')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('message_recipient.user_id', '=', userId)
    .where('message_recipient.created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .where('message.created_by', '=', 0)
    .where('message.title', '=', title)
    .executeTakeFirstOrThrow()
  return total
}

export type MessageRow = Omit<Selectable<MessageTable>, 'target_user_ids' | 'reached_user_id' | 'last_user_id'>

const columns = [
  'id',
  'title',
  'content',
  'format',
  'created_by',
  'created_at',
  'updated_at',
  'target',
  'target_group',
  'state',
  'send_at',
  'sent_at',
  'planned',
  'delivered',
] as const satisfies readonly (keyof MessageTable)[]

export interface MessageFilters {
  /** A part of the title or of the content. */
  keyword?: string
  from?: Date
  /** Exclusive. */
  before?: Date
}

/** Messages written by administrators, newest first. System messages are left out. */
export function page(
  db: Db,
  filters: MessageFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<MessageRow[]> {
  return selectSent(db, filters)
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function count(db: Db, filters: MessageFilters): Promise<number> {
  const { total } = await selectSent(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function find(db: Db, id: number): Promise<MessageRow | undefined> {
  return selectSent(db, {}).select(columns).where('id', '=', id).executeTakeFirst()
}

/** Locks a message against changes, removal and sending until the transaction ends. */
export function lock(transaction: Db, id: number): Promise<MessageRow | undefined> {
  return selectSent(transaction, {}).select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function insert(db: Db, row: Insertable<MessageTable>): Promise<MessageRow> {
  return db.insertInto('message').values(row).returning(columns).executeTakeFirstOrThrow()
}

export function update(
  db: Db,
  id: number,
  values: Updateable<Pick<MessageTable, 'title' | 'content' | 'format' | 'updated_at' | 'send_at'>>,
): Promise<MessageRow> {
  return db.updateTable('message').set(values).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
}

/** Removes a locked message from every inbox. */
export async function remove(transaction: Db, id: number): Promise<void> {
  const range = await transaction
    .selectFrom('message_recipient')
    .select((eb) => [eb.fn.min<number | null>('user_id').as('from'), eb.fn.max<number | null>('user_id').as('to')])
    .where('message_id', '=', id)
    .executeTakeFirstOrThrow()
  await transaction.deleteFrom('message').where('id', '=', id).execute() // cascades to its recipients
  if (range.from !== null && range.to !== null) {
    await publish(transaction, { kind: 'inbox', from: range.from, to: range.to })
  }
}

/** The number of readers of each message. Messages without readers are left out. */
export async function countReaders(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('message_recipient')
    .select((eb) => ['message_id', eb.fn.countAll<number>().as('readers')])
    .where('message_id', 'in', ids)
    .where('read_at', 'is not', null)
    .groupBy('message_id')
    .execute()
  return new Map(rows.map(({ message_id, readers }) => [message_id, readers]))
}

/** Newest first. */
export function recipients(db: Db, id: number, { limit, offset }: { limit: number; offset: number }) {
  const receipts = db
    .selectFrom('message_recipient')
    .select(['user_id', 'read_at', 'created_at'])
    .where('message_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('user_id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom(receipts.as('receipt'))
    .leftJoin('user', 'user.id', 'receipt.user_id')
    .select(['receipt.user_id', 'receipt.read_at', 'user.username', 'user.display_name'])
    .orderBy('receipt.created_at', 'desc')
    .orderBy('receipt.user_id', 'desc')
    .execute()
}

export type RecipientRow = Awaited<ReturnType<typeof recipients>>[number]

function selectSent(db: Db, { keyword, from, before }: MessageFilters) {
  let query = db.selectFrom('message').where('created_by', '<>', 0)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (before !== undefined) query = query.where('created_at', '<', before)
  if (keyword === undefined) return query
  const pattern = containsPattern(keyword)
  return query.where((eb) => eb.or([eb('title', 'ilike', pattern), eb('content', 'ilike', pattern)]))
}
