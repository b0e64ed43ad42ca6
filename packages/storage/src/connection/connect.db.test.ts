import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, ping } from './connect.ts'
import { recordingLog } from '../../test/recording-log.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

describe('a database connection', () => {
  it('reads bigint as number, numeric as text and timestamptz as Date', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as id, 0.1::numeric as price, '2026-01-02T03:04:05Z'::timestamptz as at,
        array[1, 2] as numbers, count(*) as total`.execute(database.db)

    expect(rows).toEqual([
      {
        id: Number.MAX_SAFE_INTEGER,
        price: '0.1',
        at: new Date('2026-01-02T03:04:05Z'),
        numbers: [1, 2],
        total: 1,
      },
    ])
  })

  it('rejects a bigint outside the safe integer range', async () => {
    await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow('safe integer')
  })

  it('survives the loss of an idle connection', async () => {
    const { log, lines } = recordingLog()
    const handle = connectDatabase({ url: database.url, poolSize: 1, applicationName: 'lost', log })
    await ping(handle.db)

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost'`.execute(
      database.db,
    )

    await expect.poll(() => lines.length).toBeGreaterThan(0)
    await ping(handle.db)
    await handle.close()
  })

  it('survives the loss of a connection between two queries of a transaction', async () => {
    const handle = connectDatabase({ url: database.url, poolSize: 1, applicationName: 'cut-between' })

    const work = handle.db.transaction().execute(async (transaction) => {
      await ping(transaction)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut-between'`.execute(
        database.db,
      )
      const gone = sql<{ n: number }>`select count(*) as n from pg_stat_activity where application_name = 'cut-between'`
      await expect.poll(async () => (await gone.execute(database.db)).rows[0]!.n).toBe(0)
      await ping(transaction)
    })

    await expect(work).rejects.toThrow()
    await ping(handle.db)
    await handle.close()
  })

  it('closes once, whether it was used or not', async () => {
    const unused = connectDatabase({ url: database.url, poolSize: 1, applicationName: 'unused' })

    await Promise.all([unused.close(), unused.close()])

    expect(unused.pool.ended).toBe(true)
  })

  it('reports a server that rejects connections', async () => {
    const nowhere = connectDatabase({ url: 'postgres://postgres@127.0.0.1:1/x', poolSize: 1, applicationName: 'x' })

    await expect(ping(nowhere.db)).rejects.toThrow('ECONNREFUSED')
    await nowhere.close()
  })

  it('requires a URL or a socket directory', () => {
    expect(() => connectDatabase({ poolSize: 1, applicationName: 'x' })).toThrow('url')
  })
})
