import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface KeyState {
  key_hash: string
  status: number
  reason: string
  changed_at: Date
}

export function listOf(db: Db, channelId: number): Promise<KeyState[]> {
  return db
    .selectFrom('channel_key')
    .select(['key_hash', 'status', 'reason', 'changed_at'])
    .where('channel_id', '=', channelId)
    .execute()
}

/** Replaces the key rows of a channel. Keys that stay keep their state. */
export async function replace(db: Db, channelId: number, hashes: readonly string[]): Promise<void> {
  await db
    .deleteFrom('channel_key')
    .where('channel_id', '=', channelId)
    .where('key_hash', 'not in', ['', ...hashes])
    .execute()
  if (hashes.length === 0) return
  await db
    .insertInto('channel_key')
    .values(hashes.map((key_hash) => ({ channel_id: channelId, key_hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Changes the status of a key. False when its status was not one of `from`. */
export async function changeStatus(
  db: Db,
  { channelId, keyHash }: { channelId: number; keyHash: string },
  { from, to, reason, at }: { from: readonly number[]; to: number; reason: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('channel_key')
    .set({ status: to, reason, changed_at: at })
    .where('channel_id', '=', channelId)
    .where('key_hash', '=', keyHash)
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Enables keys that were disabled automatically. When a channel would have no enabled key, all of its keys are enabled,
 * because enabling a channel means using it.
 */
export async function restore(db: Db, channelIds: readonly number[], at: Date): Promise<void> {
  if (channelIds.length === 0) return
  await sql`
    update channel_key k set status = 1, reason = '', changed_at = ${at}
    where k.channel_id = any(${channelIds}) and k.status <> 1 and (k.status = 3 or not exists (
      select from channel_key other where other.channel_id = k.channel_id and other.status in (1, 3)))`.execute(db)
}

export async function countUsable(db: Db, channelId: number): Promise<number> {
  const { usable } = await db
    .selectFrom('channel_key')
    .select((eb) => eb.fn.countAll<number>().as('usable'))
    .where('channel_id', '=', channelId)
    .where('status', '=', 1)
    .executeTakeFirstOrThrow()
  return usable
}

/** Channels after an ID that have no key rows, because they are older than the table. */
export function listChannelsWithoutRows(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; type: number; sealed_key: string }[]> {
  return db
    .selectFrom('channel')
    .select(['id', 'type', 'sealed_key'])
    .where('id', '>', after)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('channel_key').select('key_hash').whereRef('channel_id', '=', 'channel.id'))),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Adds key rows to channels without any, in one statement. Channels that were removed are skipped. */
export async function addMissingRows(db: Db, keys: readonly { channelId: number; keyHash: string }[]): Promise<void> {
  const channelIds = keys.map(({ channelId }) => channelId)
  const hashes = keys.map(({ keyHash }) => keyHash)
  await sql`
    insert into channel_key (channel_id, key_hash)
    select channel.id, k.key_hash
    from unnest(${channelIds}::bigint[], ${hashes}::text[]) k (channel_id, key_hash) join channel on channel.id = k.channel_id
    where not exists (select from channel_key other where other.channel_id = channel.id)
    on conflict do nothing`.execute(db)
}
