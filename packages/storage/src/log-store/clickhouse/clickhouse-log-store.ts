import type { Db } from '../../connection/connect.ts'
import type { LogStore } from '../log-store.ts'
import type { OutboxPart, Parcel } from '../outbox/parcels.ts'
import type { ParcelReceiver } from '../outbox/ship-parcels.ts'
import { appendToOutbox } from '../outbox/outbox-writer.ts'
import { raiseUsageLogFloor } from '../postgres/partitions.ts'
import type { ClickHouse } from './clickhouse.ts'
import { before, since } from './conditions.ts'
import { facets, histogram } from './counts.ts'
import { firstTokenP95, lastErrors, modelSpeed, requestsByChannel, sample } from './performance.ts'
import { ch, type Fragment } from './query.ts'
import { count, page, rate, search, sumQuota, sumUncovered, type LogSource } from './rows.ts'
import { dropDay, listDays, startOfDay } from './schema.ts'

const DAY_MS = 86_400_000

/** What a store of requests has beyond the interface. */
export interface RequestStore extends LogStore {
  readonly source: LogSource
  /** The cost of matching requests from rows alone. */
  sumQuota: (filters: Parameters<LogStore['count']>[0]) => Promise<number>
}

/** Rows of requests in ClickHouse. They reach it through the outbox. */
export function clickHouseLogStore(db: Db, clickhouse: ClickHouse): RequestStore {
  const source = { db, clickhouse }
  return {
    source,
    append: (rows) => appendToOutbox(db, rows),
    page: (filters, position) => page(source, filters, position),
    count: (filters, max) => count(source, filters, max),
    search: (userId, keyword, limit) => search(source, userId, keyword, limit),
    histogram: (options) => histogram(source, options),
    facets: (options) => facets(source, options),
    sumQuota: (filters) => sumQuota(source, filters),
    cost: async (filters) => ({ quota: await sumQuota(source, filters), capped: false }),
    uncovered: (filters) => sumUncovered(source, filters),
    rate: (filters, from) => rate(source, filters, from),
    firstTokenP95: (span) => firstTokenP95(source, span),
    modelSpeed: (model, from) => modelSpeed(source, model, from),
    lastErrors: (channelIds, errorType) => lastErrors(source, channelIds, errorType),
    requestsByChannel: (model, from) => requestsByChannel(source, model, from),
    sample: (from, percent) => sample(source, from, percent),
    prepare: async () => {}, // partitions are created with their first row
    dropDays: (span) => dropDays(source, span.before),
    shrink: (limit) => shrink(source, limit),
    remove: (span) => remove(source, span.before),
    removeRejected: ({ after, before: end, type }) => removeRejected(source, after, end, type),
  }
}

/** Drops days that ended before a time, and returns their names. */
async function dropDays({ db, clickhouse }: LogSource, end: Date): Promise<string[]> {
  const old = (await listDays(clickhouse)).filter(({ day }) => startOfDay(day).getTime() + DAY_MS <= end.getTime())
  const newest = old.at(-1)
  if (newest) await raiseUsageLogFloor(db, new Date(startOfDay(newest.day).getTime() + DAY_MS))
  for (const { day } of old) await dropDay(clickhouse, day)
  return old.map(({ day }) => day)
}

/** Drops the oldest days until the rest is at most this large. Today stays. */
async function shrink(source: LogSource, { bytes, now }: { bytes: number; now: Date }): Promise<string[]> {
  let total = 0
  const overflow = (await listDays(source.clickhouse)).toReversed().find((day) => (total += day.bytes) > bytes)
  if (!overflow) return []
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return dropDays(source, new Date(Math.min(startOfDay(overflow.day).getTime() + DAY_MS, midnight)))
}

/** Whole days are dropped; the rows of the last day are deleted. */
async function remove(source: LogSource, end: Date): Promise<number> {
  const [row] = await source.clickhouse.rows<{ total: number }>(
    ch`select count() as total from usage_log where ${before(end)}`,
  )
  await raiseUsageLogFloor(source.db, end)
  await dropDays(source, end)
  await deleteRows(source.clickhouse, before(end))
  return row!.total
}

/** Rewrites the parts with these rows, so it does nothing where there are none, and waits for whole days. */
async function removeRejected({ clickhouse }: LogSource, after: Date, end: Date, type: number): Promise<number> {
  const midnight = new Date(Math.floor(end.getTime() / DAY_MS) * DAY_MS)
  return deleteRows(clickhouse, ch`type = ${type} and is_rejected and ${since(after)} and ${before(midnight)}`)
}

async function deleteRows(clickhouse: ClickHouse, condition: Fragment): Promise<number> {
  const [row] = await clickhouse.rows<{ total: number }>(ch`select count() as total from usage_log where ${condition}`)
  if (row!.total > 0)
    await clickhouse.run(ch`delete from usage_log where ${condition} settings lightweight_deletes_sync = 2`)
  return 0
}

/** Receives the outbox. */
export function clickHouseReceiver(clickhouse: ClickHouse): ParcelReceiver {
  return {
    insert: (token, lines) => clickhouse.insert(token, lines),
    async countRows(parcel) {
      const [row] = await clickhouse.rows<{ total: number }>(
        ch`select count() as total from usage_log where ${rowsOf(parcel)}`,
      )
      return row!.total
    },
    findBatches: (parts) => findBatches(clickhouse, parts),
    async removeRows(parcel) {
      await deleteRows(clickhouse, rowsOf(parcel))
    },
  }
}

function rowsOf({ token, first_at, last_at }: Pick<Parcel, 'token' | 'first_at' | 'last_at'>): Fragment {
  return ch`parcel = toUUID(${token}) and ${spanOf(first_at, last_at)}`
}

/** Times of the outbox are whole milliseconds, rounded down. */
function spanOf(first: Date, last: Date): Fragment {
  return ch`${since(first)} and ${before(new Date(last.getTime() + 1))}`
}

async function findBatches(clickhouse: ClickHouse, parts: readonly OutboxPart[]): Promise<ReadonlySet<number>> {
  const first = new Date(Math.min(...parts.map((part) => part.first_at.getTime())))
  const last = new Date(Math.max(...parts.map((part) => part.last_at.getTime())))
  const found = await clickhouse.rows<{ series: string; batch: number; total: number }>(ch`
    select series, batch, count() as total from usage_log
    where ${spanOf(first, last)} and series in ${parts.map(({ series }) => series)}
      and batch in ${parts.map(({ batch }) => batch)} group by series, batch`)
  const totals = new Map(found.map(({ series, batch, total }) => [`${batch} ${series}`, total]))
  return new Set(
    parts.filter(({ series, batch, rows }) => totals.get(`${batch} ${series}`) === rows).map(({ id }) => id),
  )
}
