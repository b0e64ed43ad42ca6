import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { containsPattern } from '../../connection/values.ts'
import { type ChannelRow, keyCounts, LIST_COLUMNS } from './channels.ts'

export interface ChannelOrder {
  idSort: boolean
  /** Groups channels by tag; those without a tag come last. */
  tagMode: boolean
}

export interface ChannelFilters {
  /** An ID, a part of a name, or the key behind `keyHash`. */
  keyword?: string
  keyHash?: string
  model?: string
  group?: string
  types?: readonly number[]
  statuses?: readonly number[]
  tags?: readonly string[]
}

export interface ChannelPage {
  rows: ChannelRow[]
  /** The number of channels, or of tags in tag mode, on all pages. */
  total: number
}

/** A page of channels, or all channels of a page of tags. */
export async function page(
  db: Db,
  { limit, offset, ...order }: ChannelOrder & { limit: number; offset: number },
): Promise<ChannelPage> {
  if (!order.tagMode) {
    const [rows, total] = await Promise.all([select(db, order).limit(limit).offset(offset).execute(), count(db)])
    return { rows, total }
  }
  const [tags, total, hasUntagged] = await Promise.all([
    listTags(db, { limit, offset }),
    countTags(db),
    anyUntagged(db),
  ])
  // Channels without a tag form one more group after the last tag.
  if (hasUntagged && offset <= total && total < offset + limit) tags.push('')
  const rows = tags.length === 0 ? [] : await select(db, order).where('channel.tag', 'in', tags).execute()
  return { rows, total: total + (hasUntagged ? 1 : 0) }
}

export async function search(db: Db, filters: ChannelFilters, order: ChannelOrder): Promise<ChannelPage> {
  const { keyword, keyHash, model, group, types, statuses, tags } = filters
  let query = select(db, order)
  if (keyword !== undefined) {
    query = query.where((eb) =>
      eb.or([
        ...(/^\d{1,15}$/.test(keyword) ? [eb('channel.id', '=', Number(keyword))] : []),
        eb('channel.name', 'ilike', containsPattern(keyword)),
        ...(keyHash === undefined
          ? []
          : [
              eb('channel.id', 'in', eb.selectFrom('channel_key').select('channel_id').where('key_hash', '=', keyHash)),
            ]),
      ]),
    )
  }
  if (model !== undefined) query = query.where('channel.models', 'ilike', containsPattern(model))
  if (group !== undefined) query = query.where(sql<boolean>`${group} = any(string_to_array(channel."group", ','))`)
  if (types !== undefined) query = query.where(sql<boolean>`channel.type = any(${types}::bigint[])`)
  if (statuses !== undefined) query = query.where(sql<boolean>`channel.status = any(${statuses}::bigint[])`)
  if (tags !== undefined) query = query.where(sql<boolean>`channel.tag = any(${tags}::text[])`)
  const rows = await query.execute()
  return { rows, total: order.tagMode ? new Set(rows.map(({ tag }) => tag)).size : rows.length }
}

/** Tags in use, ordered by name. */
export async function listTags(db: Db, { limit, offset }: { limit: number; offset: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('channel')
    .select('tag')
    .distinct()
    .where('tag', '<>', '')
    .orderBy('tag')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ tag }) => tag)
}

function select(db: Db, { idSort, tagMode }: ChannelOrder) {
  return db
    .selectFrom('channel')
    .select([...LIST_COLUMNS, ...keyCounts])
    .$if(tagMode, (query) => query.orderBy(sql`channel.tag = ''`).orderBy('channel.tag'))
    .$if(!idSort, (query) => query.orderBy('channel.priority', 'desc'))
    .orderBy('channel.id', 'desc')
}

async function count(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('channel')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

async function countTags(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('channel')
    .select((eb) => eb.fn.count<number>('tag').distinct().as('total'))
    .where('tag', '<>', '')
    .executeTakeFirstOrThrow()
  return total
}

async function anyUntagged(db: Db): Promise<boolean> {
  const row = await db.selectFrom('channel').select('id').where('tag', '=', '').limit(1).executeTakeFirst()
  return row !== undefined
}
