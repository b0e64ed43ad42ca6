import {
  type ClickHouse,
  clickHouseBooks,
  clickHouseReceiver,
  connectClickHouse,
  outboxLogWriter,
  repairParcel,
  shipParcels,
  type ParcelReceiver,
} from '@tidegate/storage'
import { startClickHouse, workerDatabase, type TestClickHouse, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { seedSite, settle, vault, type TestSite } from '../../test/seeded-site.ts'
import { findDamagedParcels } from './check-log-store.ts'
import { verifyLedger } from './verify-books.ts'

let engine: TestClickHouse
let database: ThrowAwayDatabase
let clickhouse: ClickHouse
let receiver: ParcelReceiver
let site: TestSite
beforeAll(async () => {
  engine = await startClickHouse()
})
afterAll(() => engine.close())
beforeEach(async () => {
  database = await workerDatabase()
  clickhouse = connectClickHouse({ url: engine.newUrl(), timeoutMs: 10_000 })
  receiver = clickHouseReceiver(clickhouse)
  site = await seedSite(database.db)
})
afterEach(async () => {
  await clickhouse.close()
  await database.close()
})

const settleRequests = (...tokens: number[]) =>
  settle(
    site,
    tokens.map((count) => ({ tokens: count })),
    'a-gateway',
    outboxLogWriter,
  )
const send = () =>
  shipParcels({ db: database.db, receiver, rowsPerSecond: 1_000_000, signal: new AbortController().signal })
const problems = async () => {
  const books = clickHouseBooks(clickhouse)
  return (await verifyLedger(database.db, { vault, logs: { db: database.db, books } })).problems
}
const run = (query: string) => clickhouse.run({ texts: [query], values: [] })

it('finds no problems with rows in the table, in the outbox and in ClickHouse', async () => {
  await settleRequests(5, 6)
  expect(await problems()).toEqual([])
  await send()
  expect(await problems()).toEqual([])
  await settleRequests(7)
  expect(await problems()).toEqual([])
})

it('names hour and parcel of lost rows, which can be sent again', async () => {
  await settleRequests(5, 6)
  await send()
  await run('truncate table usage_log')
  expect(await problems()).toEqual([
    expect.stringMatching(/^usage log: hour .*Z: \d+ rows of \d+ in both stores, the roll-ups say \d+ of \d+$/),
    expect.stringMatching(/^usage log: parcel \d+: the store has 0 charged rows of 0, 2 of \d+ were sent$/),
  ])

  const [id] = await findDamagedParcels(database.db, clickHouseBooks(clickhouse))
  expect(await repairParcel(database.db, receiver, id!)).toBe(true)
  expect(await problems()).toEqual([])
})

it('finds rows that are there twice, and changed prices', async () => {
  await settleRequests(5)
  await send()
  const columns = 'id, created_at, type, user_id, model_name, quota, prompt_tokens, completion_tokens, other'
  await run(`insert into usage_log (${columns}) select id, created_at, type, user_id, model_name, quota + 1,
    prompt_tokens, completion_tokens, other from usage_log`)

  expect(await problems()).toEqual([
    expect.stringMatching(/^usage log: hour .* in both stores/),
    expect.stringMatching(/^bill: log row \d+/),
  ])
})
