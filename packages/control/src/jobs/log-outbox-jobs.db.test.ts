import { outboxLogWriter, watchLogOutbox, type ParcelReceiver } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { logOutboxJobs, unsentRowsJobs, type OutboxDeps, type OutboxStatus } from './log-outbox-jobs.ts'
import type { Job } from './run-jobs.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await workerDatabase()
})
afterEach(() => database.close())

const GO_ON = new AbortController().signal

function job(name: string, deps: Partial<OutboxDeps>): Job {
  const jobs = logOutboxJobs({ db: database.db, now: () => new Date(), limitBytes: 1e9, ...deps } as OutboxDeps)
  return jobs.find((candidate) => candidate.name === name)!
}

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
  const outbox = watchLogOutbox({ db: database.db, limitBytes: 1e9, whenFull: 'spill' })
  const log = { info: add, warn: add, error: add }
  const send = job('send-log-rows', { outbox, receiver, log, report: (status) => void statuses.push(status) })
  await charge()
  await send.run(GO_ON)
  isBroken = false
  await send.run(GO_ON)
  outbox.stop()

  expect(events).toEqual(['logs.store_unavailable', 'logs.store_resumed'])
  expect(statuses).toMatchObject([
    { isUp: false, rows: 1 },
    { isUp: true, rows: 0 },
  ])
})

it('removes requests with checkpoints after the time in which a journal is replayed', async () => {
  for (const [batch, checkpointed] of [['young'], ['old']].entries()) {
    for (const statement of await outboxLogWriter.begin({ series: 'gateway', batch, checkpointed }).statements()) {
      await statement.execute(database.db)
    }
  }
  await sql`update log_outbox set created_at = now() - interval '8 days' where batch = 1`.execute(database.db)
  await job('purge-log-outbox', {}).run(GO_ON)

  const left = await database.db.selectFrom('log_outbox').select('checkpointed').execute()
  expect(left).toEqual([{ checkpointed: ['young'] }])
})

it('reports rows that wait although the worker has no other log store', async () => {
  const events: unknown[] = []
  const statuses: OutboxStatus[] = []
  const add = (fields: unknown) => void events.push((fields as { event: string }).event)
  const [check] = unsentRowsJobs({
    db: database.db,
    log: { info: add, warn: add, error: add },
    report: (status) => void statuses.push(status),
  })
  await charge()
  await check!.run(GO_ON)
  expect(statuses).toEqual([])
  await sql`update log_outbox set created_at = now() - interval '10 minutes'`.execute(database.db)
  await check!.run(GO_ON)
  await check!.run(GO_ON)

  expect(events).toEqual(['logs.store_missing'])
  expect(statuses.at(-1)).toMatchObject({ rows: 1, isUp: false })
  expect(statuses.at(-1)!.ageSeconds).toBeGreaterThan(599)
})
