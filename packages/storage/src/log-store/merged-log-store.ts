import type { Db } from '../connection/connect.ts'
import type { RequestStore } from './clickhouse/clickhouse-log-store.ts'
import type {
  FacetCount,
  Histogram,
  LogBucket,
  LogCursor,
  LogFilters,
  LogPosition,
  LogRow,
  LogRowPage,
  LogStore,
} from './log-store.ts'
import { sumCost } from './postgres/cost.ts'
import { sumNewest, sumQuota } from './postgres/rows.ts'

/**
 * Two stores as one: the requests of the site in one, and in PostgreSQL top-ups, administrative changes and rows that
 * are not moved yet. A row is in one of them, so lists are merged and numbers are added. Statistics that cannot be added
 * come from the store with the requests.
 */
export function mergeLogStores(db: Db, requests: RequestStore, table: LogStore): LogStore {
  const both = <Result>(ask: (store: LogStore) => Promise<Result>) => Promise.all([ask(requests), ask(table)])
  return {
    append: (rows) => requests.append(rows),
    page: (filters, position) => mergePages(requests, table, filters, position),
    async count(filters, max) {
      const [a, b] = await both((store) => store.count(filters, max))
      const count = a.count + b.count
      return { count: Math.min(count, max), more: a.more || b.more || count > max }
    },
    async search(userId, keyword, limit) {
      const found = await both((store) => store.search(userId, keyword, limit))
      return found.flat().toSorted(newestFirst).slice(0, limit)
    },
    async histogram(options) {
      const [a, b] = await both((store) => store.histogram(options))
      return a && b && mergeHistograms(a, b)
    },
    async facets(options) {
      const [a, b] = await both((store) => store.facets(options))
      return a && b && mergeFacets([...a, ...b], options.limit)
    },
    cost: (filters, now) =>
      sumCost(db, filters, now, {
        sumQuota: async (part) => (await requests.sumQuota(part)) + (await sumQuota(db, part)),
        async sumNewest(part) {
          const old = await sumNewest(db, part)
          return { quota: old.quota + (await requests.sumQuota(part)), capped: old.capped }
        },
      }),
    async uncovered(filters) {
      const [a, b] = await both((store) => store.uncovered(filters))
      return {
        requests: a.requests + b.requests,
        quota: a.quota + b.quota,
        charged: a.charged + b.charged,
        capped: a.capped || b.capped,
      }
    },
    async rate(filters, since) {
      const [a, b] = await both((store) => store.rate(filters, since))
      return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens }
    },
    async firstTokenP95(span, maxRows) {
      const [a, b] = await both((store) => store.firstTokenP95(span, maxRows))
      return a.p95 === null ? b : { p95: a.p95, hours: new Map([...b.hours, ...a.hours]) }
    },
    modelSpeed: async (model, since) => (await requests.modelSpeed(model, since)) ?? table.modelSpeed(model, since),
    async lastErrors(channelIds, errorType) {
      const found = await both((store) => store.lastErrors(channelIds, errorType))
      const newest = found.flat().toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
      return [...new Map(newest.map((error) => [error.channel_id, error])).values()]
    },
    async requestsByChannel(model, since) {
      const [a, b] = await both((store) => store.requestsByChannel(model, since))
      if (!a || !b) return undefined
      const sums = new Map(a)
      for (const [channel, requests] of b) sums.set(channel, (sums.get(channel) ?? 0) + requests)
      return sums
    },
    sample: async (since, percent) => (await both((store) => store.sample(since, percent))).flat(),
    prepare: async (span) => void (await both((store) => store.prepare(span))),
    dropDays: async (span) => (await both((store) => store.dropDays(span))).flat(),
    shrink: async (limit) => (await both((store) => store.shrink(limit))).flat(),
    async remove(span) {
      const [a, b] = await both((store) => store.remove(span))
      return a + b
    },
    async removeRejected(rows) {
      const [a, b] = await both((store) => store.removeRejected(rows))
      return a + b
    },
  }
}

function newestFirst(a: LogRow, b: LogRow): number {
  return compareCursors(cursorOf(b), cursorOf(a))
}

/** Rows of both stores have their exact time. */
function cursorOf(row: LogRow): LogCursor {
  const { exactly = row.created_at.toISOString().replace('Z', '000Z') } = row as LogRow & Partial<LogCursor>
  return { exactly, id: row.id }
}

function compareCursors(a: LogCursor, b: LogCursor): number {
  if (a.exactly !== b.exactly) return a.exactly < b.exactly ? -1 : 1
  return a.id - b.id
}

async function mergePages(
  first: LogStore,
  second: LogStore,
  filters: LogFilters,
  { after, offset = 0, limit }: LogPosition,
): Promise<LogRowPage> {
  const skipped = offset === 0 || after ? undefined : await splitOffset(first, second, filters, offset)
  const [a, b] = await Promise.all([
    first.page(filters, { after, limit, ...(skipped && { offset: skipped[0] }) }),
    second.page(filters, { after, limit, ...(skipped && { offset: skipped[1] }) }),
  ])
  const sorted = [...a.rows, ...b.rows].toSorted(newestFirst)
  // A row that moves back to PostgreSQL is in both for a moment.
  const merged = sorted.filter((row, index) => index === 0 || newestFirst(sorted[index - 1]!, row) !== 0)
  // A store that stopped to read hides its older rows, so none older than that is shown before them.
  const ends = [a, b].flatMap(({ next, rows }) => (next && rows.length < limit ? [next] : []))
  const visible = merged.filter((row) => ends.every((end) => compareCursors(cursorOf(row), end) >= 0))
  const rows = visible.slice(0, limit)
  const last = rows.at(-1)
  if (last && rows.length === limit) return { rows, next: cursorOf(last) }
  if (ends.length > 0) return { rows, next: ends.toSorted(compareCursors).at(-1) }
  return { rows, next: last && (a.next || b.next) ? cursorOf(last) : undefined }
}

/** How many rows of each store are in front of a page: by halves, because most sites have requests in one of them. */
async function splitOffset(
  first: LogStore,
  second: LogStore,
  filters: LogFilters,
  offset: number,
): Promise<[number, number]> {
  const rowAt = async (store: LogStore, index: number) =>
    (await store.page(filters, { offset: index, limit: 1 })).rows[0]
  let low = 0
  let high = Math.min(offset, (await second.count(filters, offset)).count)
  // The smallest number of rows of the second store for which the next one comes after what the first store adds.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [next, before] = await Promise.all([rowAt(second, middle), rowAt(first, offset - middle - 1)])
    if (next && before && compareCursors(cursorOf(next), cursorOf(before)) < 0) high = middle
    else low = middle + 1
  }
  return [offset - low, low]
}

/** Percentiles come from the store with more requests. */
function mergeHistograms(a: Histogram, b: Histogram): Histogram {
  const buckets = new Map<number, LogBucket>()
  for (const { at, requests, errors, interrupted } of [...a.buckets, ...b.buckets]) {
    const sum = buckets.get(at) ?? { at, requests: 0, errors: 0, interrupted: 0 }
    buckets.set(at, {
      at,
      requests: sum.requests + requests,
      errors: sum.errors + errors,
      interrupted: sum.interrupted + interrupted,
    })
  }
  const requestsOf = (histogram: Histogram) => histogram.buckets.reduce((sum, bucket) => sum + bucket.requests, 0)
  const [larger, smaller] = requestsOf(a) >= requestsOf(b) ? [a, b] : [b, a]
  return {
    buckets: [...buckets.values()].toSorted((one, other) => one.at - other.at),
    duration: larger.duration ?? smaller.duration,
    firstToken: larger.firstToken ?? smaller.firstToken,
  }
}

function mergeFacets(counts: readonly FacetCount[], limit: number): FacetCount[] {
  const sums = new Map<string, FacetCount>()
  const values = new Map<string, number>()
  for (const count of counts) {
    const key = `${count.facet} ${count.value}`
    sums.set(key, { ...count, requests: (sums.get(key)?.requests ?? 0) + count.requests })
    values.set(count.facet, Math.max(values.get(count.facet) ?? 0, count.values))
  }
  const taken = new Map<string, number>()
  return [...sums.values()]
    .toSorted((a, b) => b.requests - a.requests || (a.value < b.value ? -1 : 1))
    .filter(({ facet }) => {
      taken.set(facet, (taken.get(facet) ?? 0) + 1)
      return taken.get(facet)! <= limit
    })
    .map((count) => ({
      ...count,
      values: Math.max(values.get(count.facet)!, Math.min(taken.get(count.facet)!, limit)),
    }))
}
