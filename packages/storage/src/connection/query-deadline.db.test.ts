import { tcpProxy, workerDatabase, type TcpProxy, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, ping, type DatabaseHandle } from './connect.ts'

const UNAVAILABLE = { name: 'ApiError', code: 'service_unavailable', status: 503, retryAfterSeconds: 5 }

let database: ThrowAwayDatabase
let proxy: TcpProxy
let handle: DatabaseHandle

beforeAll(async () => {
  database = await workerDatabase()
  await sql`create table if not exists deadline_note (text text)`.execute(database.db)
})
afterAll(async () => {
  await sql`drop table deadline_note`.execute(database.db)
  await database.close()
})
beforeEach(async () => {
  const url = new URL(database.url)
  proxy = await tcpProxy(Number(url.port || 5432))
  url.port = String(proxy.port)
  handle = connectDatabase({ url: url.href, poolSize: 2, applicationName: 'deadline' })
})
afterEach(async () => {
  proxy.resume()
  await handle.close()
  await proxy.close()
})

const notes = async () => (await sql<{ text: string }>`select text from deadline_note`.execute(database.db)).rows

it('fails queries when the server does not respond, including those that wait for a connection', async () => {
  const db = handle.withDeadline(50)
  await ping(handle.db)
  proxy.stall()

  const results = await Promise.allSettled(Array.from({ length: 6 }, () => ping(db)))

  expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: expect.objectContaining(UNAVAILABLE) })))
  proxy.resume()
  await expect.poll(() => ping(db).then(() => 'responded')).toBe('responded')
})

it('rolls back a transaction whose server did not respond, and does not reuse its connection', async () => {
  const db = handle.withDeadline(1_000)
  const work = db.transaction().execute(async (transaction) => {
    await sql`insert into deadline_note values ('half done')`.execute(transaction)
    proxy.stall()
    await ping(transaction)
  })

  await expect(work).rejects.toMatchObject(UNAVAILABLE)
  proxy.resume()

  await expect.poll(() => ping(db).then(() => 'responded')).toBe('responded')
  const open = sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where application_name = 'deadline' and xact_start is not null`
  await expect.poll(async () => (await open.execute(database.db)).rows[0]!.n).toBe(0)
  expect(await notes()).toEqual([])
})

it('fails when no server listens, and passes on errors of a statement', async () => {
  const nowhere = connectDatabase({ url: 'postgres://postgres@127.0.0.1:1/x', poolSize: 1, applicationName: 'x' })
  await expect(ping(nowhere.withDeadline(5_000))).rejects.toMatchObject(UNAVAILABLE)
  await nowhere.close()

  await expect(sql`select * from no_such_table`.execute(handle.withDeadline(5_000))).rejects.toMatchObject({
    code: '42P01',
  })
})

it('ends a query that waits for a lock', async () => {
  await database.db.transaction().execute(async (transaction) => {
    await sql`lock table deadline_note in access exclusive mode`.execute(transaction)
    const waiting = sql`insert into deadline_note values ('waited')`.execute(handle.withDeadline(50))

    await expect(waiting).rejects.toMatchObject(UNAVAILABLE)
  })
})

it('does not affect queries without a deadline', async () => {
  const patient = ping(handle.db)
  proxy.stall()
  await expect(ping(handle.withDeadline(20))).rejects.toMatchObject(UNAVAILABLE)
  proxy.resume()

  await patient
})
