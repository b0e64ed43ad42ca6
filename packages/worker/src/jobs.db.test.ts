import { listUsageLogPartitions } from '@tidegate/storage'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maintenanceJobs } from './jobs.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await throwAwayDatabase()
})
afterAll(() => database.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }
const GO_ON = new AbortController().signal

function job(name: string, { today = new Date(), retention = 0 } = {}) {
  const settings = () => ({ LogRetentionDays: retention })
  return maintenanceJobs({ db: database.db, log, now: () => today, settings }).find(
    (candidate) => candidate.name === name,
  )!
}

async function days(): Promise<string[]> {
  return (await listUsageLogPartitions(database.db)).map(({ day }) => day.toISOString().slice(0, 10))
}

it('keeps partitions of the usage log ahead of time, and drops them by retention only', async () => {
  const today = new Date('2030-03-10T15:00:00Z')

  await job('usage-log-partitions', { today }).run(GO_ON)
  expect(await days()).toContain('2030-03-09')
  expect(await days()).toContain('2030-03-20')

  await job('usage-log-partitions', { today: new Date('2030-03-20T00:30:00Z'), retention: 3 }).run(GO_ON)
  expect(await days()).not.toContain('2030-03-16')
  expect(await days()).toContain('2030-03-17')
  expect(await days()).toContain('2030-03-30')
})

it('removes sessions that have expired and leaves the others', async () => {
  const { db } = database
  const { id } = await db
    .insertInto('user')
    .values({ username: 'u', display_name: 'u', aff_code: 'u' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inAnHour = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('session')
    .values([
      { id_hash: 'old', user_id: id, expires_at: new Date(0) },
      { id_hash: 'new', user_id: id, expires_at: inAnHour },
    ])
    .execute()

  await job('purge-expired').run(GO_ON)

  expect(await db.selectFrom('session').select('id_hash').execute()).toEqual([{ id_hash: 'new' }])
})
