import { startClickHouse, workerDatabase, type TestClickHouse, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { charge } from '../../../test/log-store-suite.ts'
import { clickHouseReceiver } from '../clickhouse/clickhouse-log-store.ts'
import { connectClickHouse, type ClickHouse } from '../clickhouse/clickhouse.ts'
import { ch } from '../clickhouse/query.ts'
import { returningRows } from '../clickhouse/return-rows.ts'
import { dropDay } from '../clickhouse/schema.ts'
import { LogStoreUnavailable } from '../log-store.ts'
import type { ChargedLogRow } from '../log-writer.ts'
import { daysOfTable, moveToOutbox, spilledDays } from './move-rows.ts'
import { outboxLogWriter } from './outbox-writer.ts'
import { outboxSize, removeShipped, removeShippedPayloads } from './parcels.ts'
import { repairParcel, shipParcels, type ParcelReceiver } from './ship-parcels.ts'
import { watchLogOutbox } from './watch-outbox.ts'

let engine: TestClickHouse
let database: ThrowAwayDatabase
let clickhouse: ClickHouse
let receiver: ParcelReceiver
beforeAll(async () => {
  engine = await startClickHouse()
})
afterAll(() => engine.close())
beforeEach(async () => {
  database = await workerDatabase()
  clickhouse = connectClickHouse({ url: engine.newUrl(), timeoutMs: 10_000 })
  receiver = clickHouseReceiver(clickhouse)
})
afterEach(async () => {
  await engine.loseResponses(0)
  await clickhouse.close()
  await database.close()
})

const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY

/** Rows of two days, so that one parcel has two parts. */
function rows(name: string, count: number): ChargedLogRow[] {
  return Array.from({ length: count }, (_, index) => ({
    created_at: TODAY - 1000 + index * 10,
    type: 2,
    user_id: 1,
    username: 'u',
    token_id: 0,
    token_name: '',
    model_name: 'm',
    prompt_tokens: 1,
    completion_tokens: 1,
    use_time_ms: 1,
    is_stream: false,
    channel_id: 1,
    group: '',
    client_ip: '',
    content: '',
    quota: index,
    request_id: `${name}-${index}`,
    other: {},
  }))
}

const write = (name: string, count: number) => charge({ db: database.db, writer: outboxLogWriter }, rows(name, count))

const send = (from: ParcelReceiver = receiver) =>
  shipParcels({
    db: database.db,
    receiver: from,
    rowsPerSecond: 1_000_000,
    signal: new AbortController().signal,
  })

/** As if a parcel had waited for hours for its confirmation. */
const ageParcels = () =>
  sql`update log_parcel set shipped_at = null, fixed_at = now() - interval '2 hours'`.execute(database.db)

const generations = async () => {
  const parcels = await database.db.selectFrom('log_parcel').select('generation').orderBy('id').execute()
  return parcels.map(({ generation }) => generation)
}

async function stored() {
  const [totals] = await clickhouse.rows<{ rows: number; requests: number; quota: number }>(ch`
    select count() as rows, uniqExact(request_id) as requests, sum(quota) as quota from usage_log`)
  return totals
}

const sumUpTo = (count: number) => (count * (count - 1)) / 2

it('stores rows once, although every second response is lost', async () => {
  await engine.loseResponses(2)
  for (const name of ['a', 'b', 'c', 'd']) {
    await write(name, 300)
    await expect.poll(() => send().catch((error: unknown) => (error as Error).name)).toBe(0)
  }

  expect(await stored()).toEqual({ rows: 1200, requests: 1200, quota: 4 * sumUpTo(300) })
  expect(await outboxSize(database.db)).toMatchObject({ rows: 0, bytes: 0 })
})

it('sends the same rows again after a crash before ClickHouse confirmed them', async () => {
  await write('a', 300)
  const crash = new Error('crash')
  const crashing = {
    ...receiver,
    insert: (...parcel: [string, readonly string[]]) => receiver.insert(...parcel).then(() => Promise.reject(crash)),
  }
  await expect(send(crashing)).rejects.toThrow('crash')
  await write('b', 10)
  await send()

  expect(await stored()).toEqual({ rows: 310, requests: 310, quota: sumUpTo(300) + sumUpTo(10) })
})

it('accepts durations below zero, fractions and numbers that are too large', async () => {
  const [row] = rows('a', 1)
  const { db } = database
  await charge({ db, writer: outboxLogWriter }, [
    { ...row!, use_time_ms: -5, prompt_tokens: 1.5, completion_tokens: -1, channel_id: -1, quota: 7.5 },
    { ...row!, use_time_ms: 2 ** 40, prompt_tokens: 1e30, created_at: row!.created_at + 0.0001 },
  ])
  await write('b', 10)
  await send()

  expect(await stored()).toMatchObject({ rows: 12, quota: 8 + sumUpTo(10) })
  const times = await clickhouse.rows(ch`select use_time_ms from usage_log where request_id = 'a-0' order by 1`)
  expect(times).toEqual([{ use_time_ms: -5 }, { use_time_ms: 2 ** 31 - 1 }])
})

it('stores rows once if two workers send them', async () => {
  await write('a', 300)
  const other = send().catch((error: unknown) => (error as Error).message)
  await send().catch((error: unknown) => (error as Error).message)
  await other
  await send()

  expect(await stored()).toMatchObject({ rows: 300, requests: 300 })
})

it('waits while ClickHouse is killed, and goes on with the same parcel', async () => {
  await write('a', 300)
  await send()
  await write('b', 300)
  await engine.stop()
  await expect(send()).rejects.toThrow(LogStoreUnavailable)
  expect(await outboxSize(database.db)).toMatchObject({ rows: 300 })
  await engine.start()
  await send()

  expect(await stored()).toMatchObject({ rows: 600, requests: 600 })
})

it('recognizes batches whose parcel PostgreSQL has lost in a failover', async () => {
  await write('a', 300)
  await send()
  await sql`update log_outbox set parcel = null`.execute(database.db)
  await sql`delete from log_parcel`.execute(database.db)
  await write('b', 10)
  await send()

  expect(await stored()).toMatchObject({ rows: 310, requests: 310 })
})

it('counts what arrived of a parcel whose token may be forgotten', async () => {
  await write('a', 300)
  await send()
  await ageParcels()
  await dropDay(clickhouse, new Date(TODAY).toISOString().slice(0, 10).replaceAll('-', ''))
  await send()

  expect(await stored()).toMatchObject({ rows: 300, requests: 300 })
})

it('stores rows once if a slow insert ends after the parcel was counted', async () => {
  await write('a', 300)
  let slow: (() => Promise<void>) | undefined
  const timingOut: ParcelReceiver = {
    ...receiver,
    insert: async (...parcel) => {
      slow = () => receiver.insert(...parcel)
      throw new Error('timeout')
    },
  }
  await expect(send(timingOut)).rejects.toThrow('timeout')
  await ageParcels()
  const afterCount: ParcelReceiver = {
    ...receiver,
    insert: async (...parcel) => {
      await slow!()
      await receiver.insert(...parcel)
    },
  }
  await send(afterCount)

  expect(await stored()).toEqual({ rows: 300, requests: 300, quota: sumUpTo(300) })
  expect(await generations()).toEqual([0])
})

it('notes the new token of a parcel before it removes rows', async () => {
  await write('a', 300)
  await send()
  await clickhouse.run(ch`delete from usage_log where quota < 10 settings lightweight_deletes_sync = 2`)
  await ageParcels()
  const crashing: ParcelReceiver = {
    ...receiver,
    removeRows: (parcel) => receiver.removeRows(parcel).then(() => Promise.reject(new Error('crash'))),
  }
  await expect(send(crashing)).rejects.toThrow('crash')
  expect(await generations()).toEqual([1])
  await send()

  expect(await stored()).toEqual({ rows: 300, requests: 300, quota: sumUpTo(300) })
})

it('sends from one process at a time', async () => {
  await write('a', 300)
  let inserts = 0
  let fromOthers = -1
  const counting: ParcelReceiver = {
    ...receiver,
    insert: async (...parcel) => {
      inserts += 1
      if (inserts === 1) fromOthers = await send(counting)
      await receiver.insert(...parcel)
    },
  }
  expect(await send(counting)).toBe(300)
  expect([inserts, fromOthers]).toEqual([1, 0])
  await write('b', 10)
  expect(await send()).toBe(10)
})

it('stops sending when PostgreSQL has ended the connection with the lock', async () => {
  await write('a', 10)
  const losing: ParcelReceiver = {
    ...receiver,
    findBatches: async (parts) => {
      await sql`
        select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(database.db)
      return receiver.findBatches(parts)
    },
  }
  await expect(send(losing)).rejects.toThrow()
  expect(await stored()).toMatchObject({ rows: 0 })
  expect(await send()).toBe(10)
})

it('sends a parcel again that ClickHouse has lost', async () => {
  await write('a', 300)
  await send()
  await clickhouse.run(ch`truncate table usage_log`)
  const { id } = await database.db.selectFrom('log_parcel').select('id').executeTakeFirstOrThrow()
  expect(await repairParcel(database.db, receiver, id)).toBe(true)
  expect(await repairParcel(database.db, receiver, id)).toBe(true)

  expect(await stored()).toMatchObject({ rows: 300, requests: 300 })
  await removeShippedPayloads(database.db, 0)
  expect(await repairParcel(database.db, receiver, id)).toBe(false)
  await write('waiting', 1)
  await removeShipped(database.db, new Date(Date.now() + DAY))
  expect(await database.db.selectFrom('log_parcel').selectAll().execute()).toEqual([])
  expect(await outboxSize(database.db)).toMatchObject({ rows: 1 })
})

it('spills into PostgreSQL when the outbox is full, and moves those rows later', async () => {
  const { db } = database
  await database.makeLogDays(new Date(TODAY - DAY), 2)
  await write('a', 10)
  const outbox = watchLogOutbox({ db, limitBytes: 1, whenFull: 'spill' })
  await outbox.refresh()
  await charge({ db, writer: outbox.writer }, rows('b', 300))
  outbox.stop()
  expect(await outboxSize(db)).toMatchObject({ rows: 10 })
  expect(await spilledDays(db)).toHaveLength(2)

  for (const day of await daysOfTable(db)) while ((await moveToOutbox(db, day, 100)) > 0);
  await send()
  expect(await stored()).toEqual({ rows: 310, requests: 310, quota: sumUpTo(10) + sumUpTo(300) })
  expect(await daysOfTable(db)).toEqual([])
})

it('rejects requests when the outbox is full, if each row must arrive', async () => {
  await write('a', 10)
  const outbox = watchLogOutbox({ db: database.db, limitBytes: 1, whenFull: 'reject' })
  await outbox.refresh()
  expect(outbox.rejectsRequests()).toBe(true)
  await send()
  await outbox.refresh()
  expect(outbox.rejectsRequests()).toBe(false)
  outbox.stop()
})

it('moves rows back to PostgreSQL, also if that is repeated, and then to ClickHouse again', async () => {
  const { db } = database
  await write('a', 300)
  await send()
  const returning = returningRows({ db, clickhouse })
  const days = await returning.listDays()
  for (const day of [...days, ...days]) await returning.returnDay(day)

  expect(await stored()).toMatchObject({ rows: 0 })
  const table = await db.selectFrom('usage_log').select(['request_id', 'quota']).execute()
  expect(new Set(table.map(({ request_id }) => request_id)).size).toBe(300)
  expect(table.reduce((sum, { quota }) => sum + quota, 0)).toBe(sumUpTo(300))
  for (const day of await daysOfTable(db)) while ((await moveToOutbox(db, day, 1000)) > 0);
  await send()
  expect(await stored()).toEqual({ rows: 300, requests: 300, quota: sumUpTo(300) })
})

it('does not send returned rows again if the command is killed before it deletes them', async () => {
  const { db } = database
  await write('a', 300)
  await send()
  const killed = { ...clickhouse, run: () => Promise.reject(new Error('killed')) }
  const [day] = await returningRows({ db, clickhouse }).listDays()
  await expect(returningRows({ db, clickhouse: killed }).returnDay(day!)).rejects.toThrow('killed')

  // What `tidegate verify --repair-log` compares.
  expect(await db.selectFrom('log_parcel').select('attempts').execute()).toEqual([{ attempts: 0 }])
})
