import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { publish } from '../../notifications/change-notifications.ts'

/** IDs that belong to no user or to a deregistered one. */
export async function findMissing(db: Db, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select requested.id from unnest(${userIds}::bigint[]) as requested (id)
    where not exists (select from "user" where "user".id = requested.id and "user".deleted_at is null)
    order by requested.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Adds a message to these inboxes. */
export async function addReceipts(db: Db, messageId: number, userIds: readonly number[]): Promise<void> {
  await sql`
    insert into message_recipient (user_id, message_id)
    select distinct id, ${messageId}::bigint from unnest(${userIds}::bigint[]) as requested (id)`.execute(db)
  const [from, to] = userIds.reduce(([low, high], id) => [Math.min(low, id), Math.max(high, id)], [Infinity, 0])
  await publish(db, { kind: 'inbox', from, to })
}

/** Determines the recipients of due messages: the users that exist now. */
export async function startDue(db: Db, now: Date): Promise<void> {
  await sql`
    update message set
      state = 'sending',
      last_user_id = (select coalesce(max(id), 0) from "user"),
      planned = case target
        when 'all' then (select count(*) from "user" where deleted_at is null)
        when 'group' then (select count(*) from "user" where deleted_at is null and "group" = target_group)
        else (select count(*) from unnest(target_user_ids) as requested (id) join "user" using (id) where deleted_at is null)
      end
    where (state = 'scheduled' and send_at <= ${now}::timestamptz) or (state = 'sending' and last_user_id is null)
    `.execute(db)
}

/** IDs of messages that are being sent, oldest first. */
export async function listSending(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('state', '=', 'sending')
    .where('last_user_id', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Adds a message to the next inboxes, at most `limit`. True when more follow; false when it is complete, was removed,
 * or another process is sending it.
 */
export async function addNextReceipts(
  db: Db,
  messageId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const message = await transaction
      .selectFrom('message')
      .select(['id', 'target', 'target_group', 'reached_user_id', 'last_user_id'])
      .where('id', '=', messageId)
      .where('state', '=', 'sending')
      .where('last_user_id', 'is not', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!message) return false
    const { from, to, seen, added } = await insertChunk(transaction, message, limit)
    const isLast = seen < limit
    await transaction
      .updateTable('message')
      .set((eb) => ({
        delivered: eb('delivered', '+', added),
        reached_user_id: to ?? message.last_user_id!,
        ...(isLast && { state: 'sent' as const, sent_at: now, target_user_ids: null }),
      }))
      .where('id', '=', messageId)
      .execute()
    if (from !== null && to !== null) await publish(transaction, { kind: 'inbox', from, to })
    return !isLast
  })
}

interface SendingMessage {
  id: number
  target: 'users' | 'group' | 'all'
  target_group: string
  reached_user_id: number
  last_user_id: number | null
}

interface Chunk {
  from: number | null
  to: number | null
  seen: number
  added: number
}

async function insertChunk(transaction: Db, message: SendingMessage, limit: number): Promise<Chunk> {
  const { rows } = await sql<Chunk>`
    with chunk as (
      select id from ${recipientsOf(message)}
      where id > ${message.reached_user_id} and id <= ${message.last_user_id} and deleted_at is null
      order by id limit ${limit}
    ), added as (
      insert into message_recipient (user_id, message_id)
      select id, ${message.id}::bigint from chunk
      on conflict do nothing
      returning user_id
    )
    select min(id) as "from", max(id) as "to", count(*) as seen, (select count(*) from added) as added
    from chunk`.execute(transaction)
  return rows[0]!
}

function recipientsOf({ id, target, target_group }: SendingMessage) {
  if (target === 'all') return sql`"user"`
  if (target === 'group') return sql`(select id, deleted_at from "user" where "group" = ${target_group}) as member`
  const requested = sql`select unnest(target_user_ids) as id from message where id = ${id}`
  return sql`(select id, deleted_at from (${requested}) as requested join "user" using (id)) as listed`
}
