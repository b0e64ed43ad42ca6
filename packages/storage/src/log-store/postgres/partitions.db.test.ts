import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dropUsageLogPartitions,
  ensureUsageLogPartitions,
  listUsageLogPartitions,
  shrinkUsageLog,
} from './partitions.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const names = async () => (await listUsageLogPartitions(database.db)).map(({ name }) => name)

function logAt(time: string) {
  return database.db
    .insertInto('usage_log')
    .values({ created_at: new Date(time), type: 2, user_id: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
}

describe('partitions of the usage log', () => {
  it('hold one UTC day each', async () => {
    const created = await ensureUsageLogPartitions(database.db, { from: new Date('2031-02-27T23:30:00Z'), days: 3 })

    expect(created).toEqual(['usage_log_y2031m02d27', 'usage_log_y2031m02d28', 'usage_log_y2031m03d01'])
    await logAt('2031-02-27T00:00:00Z')
    await logAt('2031-03-01T23:59:59.999Z')
    await expect(logAt('2031-03-02T00:00:00Z')).rejects.toThrow('no partition')
    await expect(logAt('2031-02-26T23:59:59.999Z')).rejects.toThrow('no partition')
  })

  it('get the indexes and the ID sequence of the log', async () => {
    await ensureUsageLogPartitions(database.db, { from: new Date('2032-01-01Z'), days: 1 })

    const first = await logAt('2032-01-01T01:00:00Z')
    const second = await logAt('2032-01-01T02:00:00Z')

    expect(second.id).toBeGreaterThan(first.id)
    const { rowCount } = await database.pool.query(`select 1 from pg_indexes where tablename = 'usage_log_y2032m01d01'`)
    expect(rowCount).toBe(10)
  })

  it('are created once when several processes create them together', async () => {
    const span = { from: new Date('2033-06-01Z'), days: 5 }

    const created = await Promise.all(Array.from({ length: 6 }, () => ensureUsageLogPartitions(database.db, span)))

    expect(created.flat().toSorted()).toEqual([1, 2, 3, 4, 5].map((day) => `usage_log_y2033m06d0${day}`))
    expect(await ensureUsageLogPartitions(database.db, span)).toEqual([])
  })

  it('can be created while the log is being read', async () => {
    const reader = await database.pool.connect()
    await reader.query('begin')
    await reader.query('select count(*) from usage_log')

    const created = await ensureUsageLogPartitions(database.db, { from: new Date('2034-01-01Z'), days: 1 })

    await reader.query('rollback')
    reader.release()
    expect(created).toEqual(['usage_log_y2034m01d01'])
  })

  it('are dropped when their whole day is before the limit', async () => {
    await ensureUsageLogPartitions(database.db, { from: new Date('2019-12-30Z'), days: 4 })

    const dropped = await dropUsageLogPartitions(database.db, { before: new Date('2020-01-01T12:00:00Z') })

    expect(dropped).toEqual(['usage_log_y2019m12d30', 'usage_log_y2019m12d31'])
    expect(await names()).toContain('usage_log_y2020m01d01')
    expect(await names()).not.toContain('usage_log_y2019m12d31')
  })

  it("are dropped oldest first when the log is too large, except today's", async () => {
    const { db, pool } = database
    await dropUsageLogPartitions(db, { before: new Date('2100-01-01Z') })
    await ensureUsageLogPartitions(db, { from: new Date('2101-05-01Z'), days: 3 })
    await pool.query(`
      insert into usage_log (created_at, type, user_id, content)
      select timestamptz '2101-05-01 12:00Z' + day * interval '1 day', 2, 1, md5(n::text)
      from generate_series(0, 2) day, generate_series(1, 2000) n`)
    const { rows } = await pool.query<{ bytes: string }>(
      `select pg_total_relation_size('usage_log_y2101m05d02') as bytes`,
    )
    const now = new Date('2101-05-03T15:00:00Z')
    const twoDays = 2 * Number(rows[0]!.bytes) + 100_000

    expect(await shrinkUsageLog(db, { bytes: 10 * twoDays, now })).toEqual([])
    expect(await shrinkUsageLog(db, { bytes: twoDays, now })).toEqual(['usage_log_y2101m05d01'])
    expect(await shrinkUsageLog(db, { bytes: 1, now })).toEqual(['usage_log_y2101m05d02'])
    expect(await names()).toEqual(['usage_log_y2101m05d03'])
  })
})
