import { outboxLogWriter, watchLogOutbox, type ParcelReceiver } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { logOutboxJobs, type OutboxStatus } from './log-outbox-jobs.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await workerDatabase()
})
afterEach(() => database.close())

const GO_ON = new AbortController().signal

async function charge(): Promise<void> {
  const batch = outboxLogWriter.begin({ series: 'gateway', batch: 1 })
  batch.add({ created_at: Date.now(), type: 2, quota: 1, other: {} })
  for (const statement of await batch.statements()) await statement.execute(database.db)
}

it('reports that the store is down for every error of it', async () => {
  const events: unknown[] = []
  const statuses: OutboxStatus[] = []
  const add = (fields: unknown) => void events.push((fields as { event: string }).event)
  let isBroken = true
  const receiver: ParcelReceiver = {
    insert: () => (isBroken ? Promise.reject(new Error('cannot parse a column')) : Promise.resolve()),
    countRows: () => Promise.resolve(0),
    findBatches: () => Promise.resolve(new Set<number>()),
    removeRows: () => Promise.resolve(),
  }
  const { db } = database
  const outbox = watchLogOutbox({ db, limitBytes: 1e9, whenFull: 'spill' })
  const [send] = logOutboxJobs({
    db,
    log: { info: add, warn: add, error: add },
    now: () => new Date(),
    outbox,
    receiver,
    limitBytes: 1e9,
    report: (status) => void statuses.push(status),
  })
  await charge()
  await send!.run(GO_ON)
  isBroken = false
  await send!.run(GO_ON)
  outbox.stop()

  expect(events).toEqual(['logs.store_unavailable', 'logs.store_resumed'])
  expect(statuses).toMatchObject([
    { isUp: false, rows: 1 },
    { isUp: true, rows: 0 },
  ])
})
