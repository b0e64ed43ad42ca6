import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../src/connection/connect.ts'
import type { LogCursor, LogFilters, LogStore, NewLogRow } from '../src/log-store/log-store.ts'
import type { ChargedLogRow, LogWriter } from '../src/log-store/log-writer.ts'

export interface OpenedLogStore {
  readonly db: Db
  readonly store: LogStore
  readonly writer: LogWriter
  /** Makes written rows visible. */
  deliver(): Promise<void>
  close(): Promise<void>
}

const HOUR = 3_600_000
const NOW = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR
const hasIds = (ids: readonly string[]) => ids.map((request_id) => expect.objectContaining({ request_id }) as unknown)

/** What every log store does. */
export function logStoreSuite(name: string, open: () => Promise<OpenedLogStore>): void {
  describe(name, () => {
    let site: OpenedLogStore
    let store: LogStore
    beforeAll(async () => {
      site = await open()
      ;({ store } = site)
      await store.prepare({ from: new Date(NOW - 24 * HOUR), days: 3 })
      await charge(site, [
        charged('first', 1, { quota: 10, other: { price_name: 'a', frt: 100 } }),
        charged('stream', 2, { quota: 20, is_stream: true, use_time_ms: 2000, completion_tokens: 50, other: STREAMED }),
        charged('cut', 3, { quota: 40, user_id: 8, other: { stream_interrupted: true, price_name: 'b' } }),
        charged('short', 4, { quota: 80, user_id: 8, model_name: 'm2', other: { uncovered: 5 } }),
        charged('test', 5, { quota: 1, user_id: 8, other: { test: true } }),
        charged('same moment 1', 6, { quota: 1 }),
        charged('same moment 2', 6, { quota: 1 }),
      ])
      await store.append([
        failed('retried', 7, { not_final: true, error_code: 'busy' }),
        failed('failed', 8, { error_code: 'busy', status_code: 502, admin_info: { message: 'it broke' } }),
        failed('rejected', 9, { rejected: true, error_code: 'quota' }),
      ])
      await site.deliver()
    })
    afterAll(() => site.close())

    const idsOf = async (filters: LogFilters) => {
      const { rows } = await store.page(filters, { limit: 100 })
      return rows.map(({ request_id }) => request_id)
    }

    it('returns rows newest first, with everything that was written', async () => {
      const { rows } = await store.page({ request_id: 'stream' }, { limit: 10 })

      expect(rows).toEqual([
        expect.objectContaining({
          created_at: new Date(NOW + 2 * 60_000),
          type: 2,
          user_id: 7,
          username: 'ann "quoted"\nline',
          token_id: 3,
          token_name: 'key',
          model_name: 'm1',
          quota: 20,
          prompt_tokens: 10,
          completion_tokens: 50,
          use_time_ms: 2000,
          is_stream: true,
          channel_id: 5,
          group: 'default',
          client_ip: '127.0.0.1',
          content: 'priced',
          other: STREAMED,
          channel_name: null,
        }),
      ])
      expect(await idsOf({})).toEqual(ALL)
    })

    it.each([
      [{ userId: 8 }, ['test', 'short', 'cut']],
      [{ userIds: [8], type: 2 }, ['test', 'short', 'cut']],
      [{ models: ['m2'] }, ['short']],
      [{ type: 6 }, ['rejected', 'failed', 'retried']],
      [{ types: [6] }, ['rejected', 'failed', 'retried']],
      [{ channel: 6 }, ['rejected', 'failed', 'retried']],
      [{ channels: [5], userId: 8 }, ['test', 'short', 'cut']],
      [{ tokenId: 3, models: ['m2'] }, ['short']],
      [{ token_name: 'none' }, []],
      [{ group: 'other' }, []],
      [{ request_id: 'nobody' }, []],
      [{ uncovered: true }, ['short']],
      [{ statuses: ['interrupted'] as const }, ['cut']],
      [{ statuses: ['error'] as const }, ['rejected', 'failed']],
      [{ errorCodes: ['busy'] }, ['failed', 'retried']],
      [{ isStream: true }, ['stream']],
      [{ retried: true }, ['stream']],
      [{ minDurationMs: 2000 }, ['stream']],
      [{ start_timestamp: (NOW + 7 * 60_000) / 1000 }, ['rejected', 'failed', 'retried']],
      [{ end_timestamp: (NOW + 2 * 60_000) / 1000 }, ['stream', 'first']],
    ] satisfies [LogFilters, string[]][])('filters by %o', async (filters, expected) => {
      expect(await idsOf(filters)).toEqual(expected)
      expect(await store.count(filters, 100)).toEqual({ count: expected.length, more: false })
    })

    it('reads page after page, also between rows of one moment', async () => {
      const seen: string[] = []
      for (let after: LogCursor | undefined; ;) {
        const { rows, next } = await store.page({}, { after, limit: 4 })
        seen.push(...rows.map(({ request_id }) => request_id))
        if (!next) break
        after = next
      }
      expect(seen).toEqual(ALL)
      for (const offset of [1, 3, 4, 9, 10]) {
        const { rows } = await store.page({}, { offset, limit: 3 })
        expect(rows).toEqual(hasIds(ALL.slice(offset, offset + 3)))
      }
    })

    it('counts up to a maximum', async () => {
      expect(await store.count({}, 4)).toEqual({ count: 4, more: true })
    })

    it('searches by type and by the start of the text', async () => {
      expect(await store.search(undefined, '6', 2)).toEqual(hasIds(['rejected', 'failed']))
      expect(await store.search(8, 'pric', 2)).toEqual(hasIds(['test', 'short']))
      expect(await store.search(8, 'riced', 2)).toEqual([])
    })

    it('counts by time and by facet', async () => {
      const histogram = await store.histogram({ filters: {}, seconds: 3600 })
      const facets = await store.facets({ filters: {}, limit: 10 })

      expect(histogram?.buckets).toEqual([{ at: NOW / 1000, requests: 9, errors: 2, interrupted: 1 }])
      expect(histogram?.duration?.p50).toBe(1500)
      expect(histogram?.firstToken).toEqual({ p50: 400, p95: 400 })
      expect(facets).toContainEqual({ facet: 'model', value: 'm1', requests: 8, values: 2 })
      expect(facets).toContainEqual({ facet: 'status', value: 'error', requests: 2, values: 3 })
      expect(facets).toContainEqual({ facet: 'stream', value: 'true', requests: 1, values: 2 })
      expect(facets?.filter(({ facet }) => facet === 'error_code')).toHaveLength(2)
    })

    it('adds up requests that filters match', async () => {
      expect(await store.cost({ tokenId: 3 }, new Date())).toEqual({ quota: 152, capped: false })
      expect(await store.uncovered({})).toEqual({ requests: 1, quota: 5, charged: 80, capped: false })
      expect(await store.rate({ userId: 7 }, new Date(NOW))).toEqual({ calls: 4, tokens: 105 })
    })

    it('knows how fast responses were', async () => {
      const p95 = await store.firstTokenP95({ from: new Date(NOW), to: new Date(NOW + HOUR) })
      const speed = await store.modelSpeed('m1', new Date(NOW))

      expect(p95).toEqual({ p95: 400, hours: new Map([[NOW / 1000, 400]]) })
      expect(speed).toEqual({ first_token_p50: 400, first_token_p95: 400, tokens_per_second: 31.25 })
      expect(await store.modelSpeed('none', new Date(NOW))).toBeUndefined()
    })

    it('finds the newest error of a channel', async () => {
      const minute = new Date(NOW + 8 * 60_000)
      await site.db.insertInto('channel_minute').values({ channel_id: 6, minute, failed: 1 }).execute()

      expect(await store.lastErrors([6], 6)).toMatchObject([
        { channel_id: 6, request_id: expect.stringMatching(/failed|rejected/) as string, model_name: 'm1' },
      ])
    })

    it('counts requests by channel, and samples them', async () => {
      expect(await store.requestsByChannel('m1', new Date(NOW))).toEqual(new Map([[5, 5]]))
      const sampled = await store.sample(new Date(NOW), 100)
      expect(sampled.map(({ price_name }) => price_name).toSorted()).toEqual(['a', 'a', 'b'])
    })

    it('removes rejected requests, rows and days', async () => {
      const old = new Date(NOW - 3 * 24 * HOUR)
      await store.prepare({ from: old, days: 1 })
      await store.append([
        failed('old rejected', 0, { rejected: true }, old),
        failed('old', 0, {}, new Date(old.getTime() + 1000)),
      ])
      await site.deliver()
      const end = new Date(NOW - 24 * HOUR)

      await store.removeRejected({ after: new Date(old.getTime() - HOUR), before: end, type: 6, limit: 10 })
      expect(await idsOf({ end_timestamp: end.getTime() / 1000 })).toEqual(['old'])
      expect(await store.dropDays({ before: end })).not.toEqual([])
      expect(await idsOf({})).toEqual(ALL)
      const span = { before: new Date(NOW + 3 * 60_000), keepAfter: new Date(NOW + HOUR), now: new Date() }
      expect(await store.remove(span)).toBeGreaterThanOrEqual(2)
      expect(await idsOf({ userId: 7, type: 2 })).toEqual(['same moment 2', 'same moment 1'])
    })
  })
}

const STREAMED = { frt: 400, admin_info: { use_channel: ['5', '6'] }, price_name: 'a' }
const ALL = [
  'rejected',
  'failed',
  'retried',
  'same moment 2',
  'same moment 1',
  'test',
  'short',
  'cut',
  'stream',
  'first',
]

const COMMON = {
  user_id: 7,
  username: 'ann "quoted"\nline',
  token_id: 3,
  token_name: 'key',
  model_name: 'm1',
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time_ms: 1500,
  is_stream: false,
  group: 'default',
  client_ip: '127.0.0.1',
  content: 'priced',
}

function charged(request_id: string, minute: number, changes: Partial<ChargedLogRow>): ChargedLogRow {
  const row = { ...COMMON, created_at: NOW + minute * 60_000, type: 2, quota: 0, channel_id: 5, request_id, other: {} }
  return { ...row, ...changes }
}

function failed(request_id: string, minute: number, other: object, at = new Date(NOW + minute * 60_000)): NewLogRow {
  return { ...COMMON, created_at: at, type: 6, channel_id: 6, request_id, other: JSON.stringify(other) }
}

let batches = 0

/** Writes rows in one transaction, like a settlement batch. */
export async function charge({ db, writer }: Pick<OpenedLogStore, 'db' | 'writer'>, rows: readonly ChargedLogRow[]) {
  const batch = writer.begin({ series: 'gateway', batch: ++batches })
  for (const row of rows) batch.add(row)
  const statements = await batch.statements()
  await db.transaction().execute(async (transaction) => {
    for (const statement of statements) await statement.execute(transaction)
  })
}
