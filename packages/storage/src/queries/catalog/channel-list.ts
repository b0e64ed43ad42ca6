import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { containsPattern } from '../../connection/values.ts'
import { type ChannelRow, keyCounts, LIST_COLUMNS } from './channels.ts'

/** When an enabled channel counts as failing. */
export interface FailingRule {
  since: Date
  /** The minimum number of failed attempts since then. */
  attempts: number
  /** The minimum share of failed attempts, from 0 to 1. */
  share: number
}

export interface ChannelOrder {
  idSort: boolean
  /** Groups channels by tag; those without a tag come last. */
  tagMode: boolean
  /** Replaces the order by priority or ID. */
  sort?: { by: SortName; descending: boolean }
}

type SortName = 'attention' | 'name' | 'priority' | 'weight' | 'billed_today' | 'response_time' | 'balance' | 'id'
type StateName = 'healthy' | 'failing' | 'auto_disabled' | 'disabled'

/** What states and sorting depend on. */
export interface ListContext {
  failing: FailingRule
  /** The current UTC day, as text. */
  today: string
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
  state?: StateName
}

export interface ChannelPage {
  rows: ChannelRow[]
  /** The number of channels, or of tags in tag mode, on all pages. */
  total: number
}

interface Paging {
  limit: number
  offset: number
}

/** A page of channels, or all channels of a page of tags. */
export async function page(
  db: Db,
  { order, page: paging }: { order: ChannelOrder; page: Paging },
  context: ListContext,
): Promise<ChannelPage> {
  if (!order.tagMode) return search(db, { filters: {}, order, page: paging }, context)
  const { limit, offset } = paging
  const [tags, total, hasUntagged] = await Promise.all([listTags(db, paging), countTags(db), anyUntagged(db)])
  // Channels without a tag form one more group after the last tag.
  if (hasUntagged && offset <= total && total < offset + limit) tags.push('')
  const rows = tags.length === 0 ? [] : await select(db, { tags }, order, context).execute()
  return { rows, total: total + (hasUntagged ? 1 : 0) }
}

/** All matching channels, or a page of them. */
export async function search(
  db: Db,
  { filters, order, page: paging }: { filters: ChannelFilters; order: ChannelOrder; page?: Paging },
  context: ListContext,
): Promise<ChannelPage> {
  const query = select(db, filters, order, context)
  if (paging && !order.tagMode) {
    const [rows, { total }] = await Promise.all([
      query.limit(paging.limit).offset(paging.offset).execute(),
      applyFilters(db, filters, context)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),
    ])
    return { rows, total }
  }
  const rows = await query.execute()
  if (!order.tagMode) return { rows, total: rows.length }
  const tags = [...new Set(rows.map(({ tag }) => tag))]
  if (!paging) return { rows, total: tags.length }
  const shown = new Set(tags.slice(paging.offset, paging.offset + paging.limit))
  return { rows: rows.filter(({ tag }) => shown.has(tag)), total: tags.length }
}

/** The number of matching channels by state. States without channels are left out. */
export function countStates(
  db: Db,
  filters: ChannelFilters,
  context: Pick<ListContext, 'failing'>,
): Promise<{ state: StateName; count: number }[]> {
  return applyFilters(db, filters, context)
    .select((eb) => [stateOf(context.failing).as('state'), eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
}

/** The state of each of these channels. */
export function statesOf(
  db: Db,
  ids: readonly number[],
  failing: FailingRule,
): Promise<{ id: number; state: StateName }[]> {
  return db
    .selectFrom('channel')
    .select(['channel.id', stateOf(failing).as('state')])
    .where(sql<boolean>`channel.id = any(${ids}::bigint[])`)
    .execute()
}

function applyFilters(db: Db, filters: ChannelFilters, { failing }: Pick<ListContext, 'failing'>) {
  const { keyword, keyHash, model, group, types, statuses, tags, state } = filters
  let query = db.selectFrom('channel')
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
  if (state !== undefined) query = query.where(stateOf(failing), '=', state)
  return query
}

function select(db: Db, filters: ChannelFilters, order: ChannelOrder, context: ListContext) {
  const { idSort, tagMode, sort } = order
  return applyFilters(db, filters, context)
    .select([...LIST_COLUMNS, ...keyCounts])
    .$if(tagMode, (query) => query.orderBy(sql`channel.tag = ''`).orderBy('channel.tag'))
    .$if(sort !== undefined, (query) =>
      query.orderBy(SORT_KEYS[sort!.by](context), (key) => (sort!.descending ? key.desc() : key.asc()).nullsLast()),
    )
    .$if(sort !== undefined || !idSort, (query) => query.orderBy('channel.priority', 'desc'))
    .orderBy('channel.id', 'desc')
}

/** A condition on the minutes of one channel. */
export function isFailing({ attempts, share }: FailingRule): RawBuilder<boolean> {
  return sql`sum(failed) >= ${attempts} and sum(failed) >= ${share}::float8 * sum(succeeded + failed)`
}

/** The failing channels are computed once per statement, from the index of minutes. */
function stateOf(rule: FailingRule) {
  return sql<StateName>`case
    when channel.status = 3 then 'auto_disabled'
    when channel.status <> 1 then 'disabled'
    when channel.id in (
      select channel_id from channel_minute where minute >= ${rule.since} group by channel_id having ${isFailing(rule)}
    ) then 'failing'
    else 'healthy' end`
}

/** Unknown values are null. */
const SORT_KEYS: Readonly<Record<SortName, (context: ListContext) => RawBuilder<unknown>>> = {
  attention: ({ failing }) => sql`array_position(array['disabled', 'healthy', 'auto_disabled', 'failing'],
    ${stateOf(failing)})`,
  name: () => sql`lower(channel.name)`,
  priority: () => sql`channel.priority`,
  weight: () => sql`channel.weight`,
  billed_today: ({ today }) => sql`coalesce(
    (select sum(quota) from channel_day d where d.channel_id = channel.id and d.day = ${today}::date), 0)`,
  response_time: () => sql`case when channel.tested_at is not null then channel.response_time_ms end`,
  balance: () => sql`case when channel.balance_updated_at is not null then channel.balance end`,
  id: () => sql`channel.id`,
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
