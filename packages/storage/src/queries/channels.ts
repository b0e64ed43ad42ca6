import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../connect.ts'
import type { ChannelTable } from '../schema/index.ts'

/** A channel as lists may show it: everything but the key. */
export type ChannelRow = Omit<Selectable<ChannelTable>, 'sealed_key'>

const listed = [
  'id',
  'type',
  'name',
  'status',
  'base_url',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'weight',
  'auto_ban',
  'test_model',
  'tag',
  'model_prefix',
  'setting',
  'param_override',
  'system_prompt',
  'max_input_tokens',
  'openai_organization',
  'other',
  'other_info',
  'used_quota',
  'balance',
  'balance_updated_at',
  'tested_at',
  'response_time_ms',
  'created_at',
] as const satisfies readonly (keyof ChannelTable)[]

export function list(db: Db, page: { idSort: boolean; limit: number; offset: number }): Promise<ChannelRow[]> {
  return db
    .selectFrom('channel')
    .select(listed)
    .$if(!page.idSort, (query) => query.orderBy('priority', 'desc'))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** An id before the row exists: the key is sealed for the row it will stand in. */
export async function nextId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('channel', 'id')) as id`.execute(db)
  return rows[0]!.id
}

export async function insert(db: Db, channel: Insertable<ChannelTable> & { id: number }): Promise<void> {
  await db.insertInto('channel').values(channel).execute()
}

/** Makes the abilities of a channel from its groups and models: one row for each pair. */
export async function rebuildAbilities(db: Db, channelId: number): Promise<void> {
  await db.deleteFrom('ability').where('channel_id', '=', channelId).execute()
  await sql`
    insert into ability ("group", model, channel_id, enabled, priority, weight, tag)
    select distinct trim(g), trim(m), channel.id, channel.status = 1, channel.priority, channel.weight, channel.tag
    from channel, regexp_split_to_table(channel."group", ',') g, regexp_split_to_table(channel.models, ',') m
    where channel.id = ${channelId} and trim(g) <> '' and trim(m) <> ''
  `.execute(db)
}

export async function remove(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('channel').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
