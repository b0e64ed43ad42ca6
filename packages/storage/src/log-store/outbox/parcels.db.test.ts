import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outboxSize, removeShippedPayloads, waitingParts } from './parcels.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

it('finds waiting rows and stored payloads by index, because rows without both stay for days', async () => {
  const scanned = await database.db.connection().execute(async (connection) => {
    await sql`
      insert into log_outbox (series, batch, rows)
      select 'gateway', batch, 0 from generate_series(1, 5000) as batch`.execute(connection)
    await sql`analyze log_outbox`.execute(connection)
    await waitingParts(connection)
    await removeShippedPayloads(connection, 0)
    await sql`select pg_stat_force_next_flush()`.execute(connection)
    const { rows } = await sql<{ name: string }>`
      select indexrelname as name from pg_stat_user_indexes
      where relname = 'log_outbox' and idx_scan > 0 order by 1`.execute(connection)
    return rows.map(({ name }) => name)
  })
  expect(scanned).toEqual(expect.arrayContaining(['log_outbox_payload', 'log_outbox_waiting']))
})

it('counts export destinations of users only while users may export', async () => {
  const { db } = database
  const hasExports = async () => (await outboxSize(db)).hasExports
  await sql`
    with owner as (insert into "user" (username, display_name, aff_code) values ('ann', 'ann', 'ann') returning id)
    insert into export_destination (user_id, kind, name, url, cursor_id)
    select id, 'webhook', 'mine', 'https://example.com', 0 from owner`.execute(db)
  expect(await hasExports()).toBe(false)
  await sql`insert into option (key, value) values ('UserExportsEnabled', 'true')`.execute(db)
  expect(await hasExports()).toBe(true)
  await sql`update option set value = 'false' where key = 'UserExportsEnabled'`.execute(db)
  expect(await hasExports()).toBe(false)
  await sql`update export_destination set user_id = null`.execute(db)
  expect(await hasExports()).toBe(true)
})
