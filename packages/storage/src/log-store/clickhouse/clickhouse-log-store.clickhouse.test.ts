import { startClickHouse, workerDatabase, type TestClickHouse } from '@tidegate/testing'
import { afterAll, beforeAll } from 'vitest'
import { logStoreSuite } from '../../../test/log-store-suite.ts'
import { mergeLogStores } from '../merged-log-store.ts'
import { outboxLogWriter } from '../outbox/outbox-writer.ts'
import { shipParcels } from '../outbox/ship-parcels.ts'
import { postgresLogStore } from '../postgres/postgres-log-store.ts'
import { clickHouseLogStore, clickHouseReceiver } from './clickhouse-log-store.ts'
import { connectClickHouse } from './clickhouse.ts'

let engine: TestClickHouse
beforeAll(async () => {
  engine = await startClickHouse()
})
afterAll(() => engine.close())

logStoreSuite('the log in ClickHouse, merged with PostgreSQL', async () => {
  const database = await workerDatabase()
  const { db } = database
  const clickhouse = connectClickHouse({ url: engine.newUrl(), timeoutMs: 10_000 })
  const receiver = clickHouseReceiver(clickhouse)
  const { signal } = new AbortController()
  return {
    db,
    store: mergeLogStores(db, clickHouseLogStore(db, clickhouse), postgresLogStore(db)),
    writer: outboxLogWriter,
    deliver: async () => void (await shipParcels({ db, receiver, rowsPerSecond: 1_000_000, signal })),
    async close() {
      await clickhouse.close()
      await database.close()
    },
  }
})
