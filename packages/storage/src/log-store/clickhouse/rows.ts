import type { Db } from '../../connection/connect.ts'
import type { CountedRows, LogFilters, LogPosition, LogRow, LogRowPage, UncoveredSum } from '../log-store.ts'
import type { ClickHouse } from './clickhouse.ts'
import { afterCursor, since, toExactly, toMicroseconds, whereOf } from './conditions.ts'
import { ch, raw, type Fragment } from './query.ts'

/** Rows are in ClickHouse, names of channels in PostgreSQL. */
export interface LogSource {
  readonly clickhouse: ClickHouse
  readonly db: Db
}

/** The place of a row, in microseconds. */
interface Place {
  readonly at: number
  readonly id: number
}

const NEWEST_FIRST = raw('order by created_at desc, id desc')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Newest first. Places come from a projection; only the rows of the page are read whole. */
export async function page(source: LogSource, filters: LogFilters, position: LogPosition): Promise<LogRowPage> {
  const places = await findPlaces(source.clickhouse, filters, position)
  const rows = await readRows(source, places)
  const last = places.at(-1)
  const isFull = last !== undefined && places.length === position.limit
  return { rows, next: isFull ? { exactly: toExactly(last.at), id: last.id } : undefined }
}

/** Looks back in windows that widen: most pages are of the newest rows. */
async function findPlaces(
  clickhouse: ClickHouse,
  filters: LogFilters,
  { after, offset = 0, limit }: LogPosition,
): Promise<Place[]> {
  for (const window of windowsOf(filters)) {
    const end = after ? toMicroseconds(after.exactly) / 1000 : Date.now()
    const conditions = [
      ...(after ? [afterCursor(after)] : []),
      ...(window === Infinity ? [] : [since(new Date(Math.floor(end) - window))]),
    ]
    const places = await clickhouse.rows<Place>(ch`
      select toUnixTimestamp64Micro(created_at) as at, id from usage_log where ${whereOf(filters, ...conditions)}
      ${NEWEST_FIRST} limit ${limit} offset ${offset}`)
    if (places.length === limit || window === Infinity) return places
  }
  return []
}

function windowsOf(filters: LogFilters): number[] {
  const { start_timestamp, end_timestamp, type: _type, types: _types, ...narrow } = filters
  if (end_timestamp || filters.request_id !== undefined) return [Infinity]
  const isFiltered = Object.values(narrow).some((value) => value !== undefined && value !== 0)
  const windows = isFiltered ? [7 * DAY_MS] : [HOUR_MS, DAY_MS, 7 * DAY_MS]
  return start_timestamp ? [...windows.slice(0, -1), Infinity] : [...windows, Infinity]
}

async function readRows({ clickhouse, db }: LogSource, places: readonly Place[]): Promise<LogRow[]> {
  if (places.length === 0) return []
  const times = places.map(({ at }) => at)
  // Constants, so that the primary key selects their granules.
  const keys = raw(places.map(({ at, id }) => `(fromUnixTimestamp64Micro(${at}, 'UTC'), ${id})`).join(', '))
  const rows = await clickhouse.rows<StoredRow>(ch`
    select ${COLUMNS} from usage_log
    where created_at >= fromUnixTimestamp64Micro(${Math.min(...times)}, 'UTC')
      and created_at <= fromUnixTimestamp64Micro(${Math.max(...times)}, 'UTC') and (created_at, id) in (${keys})
    ${NEWEST_FIRST}`)
  return toLogRows(db, rows)
}

type StoredRow = Omit<LogRow, 'created_at' | 'other' | 'channel_name'> & { at: number; other: string }

const COLUMNS = raw(`id, toUnixTimestamp64Micro(created_at) as at, type, user_id, username, token_id, token_name,
  model_name, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, \`group\`, client_ip,
  request_id, content, other`)

async function toLogRows(db: Db, rows: readonly StoredRow[]): Promise<LogRow[]> {
  const ids = [...new Set(rows.map(({ channel_id }) => channel_id))].filter((id) => id !== 0)
  const channels =
    ids.length === 0 ? [] : await db.selectFrom('channel').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return rows.map(({ at, other, ...row }) => ({
    ...row,
    created_at: new Date(Math.floor(at / 1000)),
    exactly: toExactly(at),
    other: JSON.parse(other || '{}') as Record<string, unknown>,
    channel_name: names.get(row.channel_id) ?? null,
  }))
}

/** The rows of a range of IDs, oldest ID first. */
export async function rowsById(source: LogSource, condition: Fragment): Promise<LogRow[]> {
  const rows = await source.clickhouse.rows<StoredRow>(
    ch`select ${COLUMNS} from usage_log where ${condition} order by id`,
  )
  return toLogRows(source.db, rows)
}

/** Counting stops at `max`. */
export async function count({ clickhouse }: LogSource, filters: LogFilters, max: number): Promise<CountedRows> {
  const [row] = await clickhouse.rows<{ total: number }>(ch`
    select count() as total from (select 1 from usage_log where ${whereOf(filters)} limit ${max + 1})`)
  const { total } = row!
  return { count: Math.min(total, max), more: total > max }
}

/** The number of newest rows in which a text is searched. */
const SEARCHED_ROWS = 20_000

/** Searches the newest rows by type, or by the start of their text. */
export async function search(
  source: LogSource,
  userId: number | undefined,
  keyword: string,
  limit: number,
): Promise<LogRow[]> {
  if (/^\d$/.test(keyword)) return (await page(source, { userId, type: Number(keyword) }, { limit })).rows
  const places = await source.clickhouse.rows<Place>(ch`
    select toUnixTimestamp64Micro(created_at) as at, id from (
      select created_at, id, content from usage_log where ${whereOf({ userId })} ${NEWEST_FIRST} limit ${SEARCHED_ROWS}
    ) where startsWith(content, ${keyword}) ${NEWEST_FIRST} limit ${limit}`)
  return readRows(source, places)
}

const CHARGED = raw('type = 2 and not is_test')

/** Requests and tokens since a time, without channel tests. */
export async function rate({ clickhouse }: LogSource, filters: LogFilters, from: Date) {
  const unbounded = { ...filters, start_timestamp: undefined, end_timestamp: undefined }
  const [row] = await clickhouse.rows<{ calls: number; tokens: number }>(ch`
    select count() as calls, sum(prompt_tokens + completion_tokens) as tokens from usage_log
    where ${whereOf(unbounded, CHARGED, since(from))}`)
  return row!
}

/** The cost of matching requests, without channel tests. */
export async function sumQuota({ clickhouse }: LogSource, filters: LogFilters): Promise<number> {
  const [row] = await clickhouse.rows<{ quota: number }>(ch`
    select sum(quota) as quota from usage_log where ${whereOf(filters, CHARGED)}`)
  return row!.quota
}

/** What matching requests cost beyond what their accounts could pay. */
export async function sumUncovered({ clickhouse }: LogSource, filters: LogFilters): Promise<UncoveredSum> {
  const [row] = await clickhouse.rows<Omit<UncoveredSum, 'capped'>>(ch`
    select count() as requests, sum(uncovered) as quota, sum(usage_log.quota) as charged from usage_log
    where ${whereOf({ ...filters, uncovered: true })}`)
  return { ...row!, capped: false }
}
