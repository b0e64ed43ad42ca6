import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { ChannelTable } from '../../schema/index.ts'

/** A channel for lists: everything except the key. */
export type ChannelRow = Omit<Selectable<ChannelTable>, 'sealed_key'> & {
  key_count: number
  disabled_key_count: number
}

export const LIST_COLUMNS = [
  'channel.id',
  'channel.type',
  'channel.name',
  'channel.status',
  'channel.base_url',
  'channel.models',
  'channel.group',
  'channel.model_mapping',
  'channel.status_code_mapping',
  'channel.priority',
  'channel.weight',
  'channel.auto_ban',
  'channel.test_model',
  'channel.tag',
  'channel.model_prefix',
  'channel.setting',
  'channel.param_override',
  'channel.header_override',
  'channel.system_prompt',
  'channel.max_input_tokens',
  'channel.openai_organization',
  'channel.other',
  'channel.other_info',
  'channel.used_quota',
  'channel.balance',
  'channel.balance_updated_at',
  'channel.tested_at',
  'channel.response_time_ms',
  'channel.created_at',
] as const satisfies readonly `channel.${keyof ChannelTable}`[]

/** A channel without key rows has one key. */
const keys = sql<number>`coalesce(nullif(
  (select count(*) from channel_key k where k.channel_id = channel.id), 0), 1)`
const disabledKeys = sql<number>`
  (select count(*) from channel_key k where k.channel_id = channel.id and k.status <> 1)`
export const keyCounts = [keys.as('key_count'), disabledKeys.as('disabled_key_count')] as const

export function find(db: Db, id: number): Promise<(ChannelRow & { sealed_key: string }) | undefined> {
  return db
    .selectFrom('channel')
    .select([...LIST_COLUMNS, 'channel.sealed_key', ...keyCounts])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** All channels with their keys, for exports of the whole site. */
export function listAll(db: Db): Promise<(ChannelRow & { sealed_key: string })[]> {
  return db
    .selectFrom('channel')
    .select([...LIST_COLUMNS, 'channel.sealed_key', ...keyCounts])
    .orderBy('id')
    .execute()
}

export interface ChannelState {
  id: number
  name: string
  type: number
  status: number
  other_info: Record<string, unknown>
  tested_at: Date | null
  usable_keys: number
}

/** The state of each channel with one of these statuses. */
export function listStates(db: Db, statuses: readonly number[]): Promise<ChannelState[]> {
  return db
    .selectFrom('channel')
    .select(['id', 'name', 'type', 'status', 'other_info', 'tested_at'])
    .select(sql<number>`${keys} - ${disabledKeys}`.as('usable_keys'))
    .where('status', 'in', statuses)
    .orderBy('id')
    .execute()
}

/** Reserves an ID, because a key is sealed with the ID of its row. */
export async function nextId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('channel', 'id')) as id`.execute(db)
  return rows[0]!.id
}

export async function insert(db: Db, channel: Insertable<ChannelTable> & { id: number }): Promise<void> {
  await db.insertInto('channel').values(channel).execute()
}

export type ChannelUpdate = Omit<Updateable<ChannelTable>, 'id' | 'created_at' | 'used_quota'>

export async function update(db: Db, ids: readonly number[], changes: ChannelUpdate): Promise<void> {
  if (ids.length === 0 || Object.keys(changes).length === 0) return
  await db.updateTable('channel').set(changes).where('id', 'in', ids).execute()
}

/** Adds fields to `other_info` without overwriting concurrent additions. */
export async function addInfo(db: Db, id: number, info: Readonly<Record<string, unknown>>): Promise<void> {
  const added = JSON.stringify(info)
  await sql`update channel set other_info = other_info || ${added}::jsonb where id = ${id}`.execute(db)
}

export type ChannelSelector = { ids: readonly number[] } | { tag: string } | { disabled: true }

/** Locks the selected channels and returns their IDs. The order is that of settlement batches, to avoid deadlocks. */
export async function lock(db: Db, choice: ChannelSelector): Promise<number[]> {
  const rows = await db
    .selectFrom('channel')
    .select('id')
    .$if('ids' in choice, (query) => query.where('id', 'in', 'ids' in choice ? [0, ...choice.ids] : []))
    .$if('tag' in choice, (query) => query.where('tag', '=', 'tag' in choice ? choice.tag : ''))
    .$if('disabled' in choice, (query) => query.where('status', '<>', 1))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns how many were removed. */
export async function remove(db: Db, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numDeletedRows } = await db.deleteFrom('channel').where('id', 'in', ids).executeTakeFirst()
  return Number(numDeletedRows)
}
