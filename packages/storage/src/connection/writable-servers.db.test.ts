import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, type DatabaseHandle } from './connect.ts'
import { recordingLog } from '../../test/recording-log.ts'

let database: ThrowAwayDatabase
let handle: DatabaseHandle
let log: ReturnType<typeof recordingLog>

beforeAll(async () => {
  database = await throwAwayDatabase({ migrate: false })
  await sql`create table note (text text)`.execute(database.db)
})
afterAll(() => database.close())
beforeEach(() => {
  log = recordingLog()
  handle = connectDatabase({
    url: database.url,
    poolSize: 3,
    applicationName: 'failover',
    connectTimeoutMs: 60_000,
    log: log.log,
  })
})
afterEach(async () => {
  await setReadOnly(false)
  await handle.close()
})

const insert = (db = handle.db) => sql`insert into note values ('written')`.execute(db)

/** For new sessions, as when a balancer sends them to a standby. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  const name = sql.id(new URL(database.url).pathname.slice(1))
  await database.db.transaction().execute(async (transaction) => {
    await sql`set transaction read write`.execute(transaction)
    await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(readOnly)}`.execute(transaction)
  })
}

it('does not keep connections to a server that takes no writes', async () => {
  await setReadOnly(true)
  const away = await Promise.allSettled(Array.from({ length: 6 }, () => insert(handle.withDeadline(5_000))))
  expect(away.map((result) => (result as PromiseRejectedResult).reason.code)).toEqual(
    away.map(() => 'service_unavailable'),
  )

  await setReadOnly(false)
  const back = await Promise.allSettled(Array.from({ length: 100 }, () => insert()))

  expect(back.filter(({ status }) => status === 'rejected')).toEqual([])
})

it('leaves a server that stops taking writes, with all connections', async () => {
  await Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.05)`.execute(handle.db)))
  const clients = await Promise.all(Array.from({ length: 3 }, () => handle.pool.connect()))
  for (const client of clients) await client.query('set session characteristics as transaction read only')
  for (const client of clients) client.release()

  await expect(insert(handle.withDeadline(5_000))).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  const after = await Promise.allSettled(Array.from({ length: 100 }, () => insert()))

  expect(after.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(log.lines.filter(({ message }) => message === 'the database takes no writes')).toHaveLength(1)
})
