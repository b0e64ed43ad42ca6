import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { releaseJobLease, takeJobLease } from './job-leases.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

describe('a job lease', () => {
  it('goes to one of several candidates', async () => {
    const holders = Array.from({ length: 10 }, (_, index) => `node-${index}`)

    const taken = await Promise.all(holders.map((holder) => takeJobLease(database.db, 'contested', holder, 60)))

    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('is renewed by its holder', async () => {
    expect(await takeJobLease(database.db, 'renewed', 'a', 60)).toBe(true)
    expect(await takeJobLease(database.db, 'renewed', 'a', 60)).toBe(true)
    expect(await takeJobLease(database.db, 'renewed', 'b', 60)).toBe(false)
  })

  it('is free again after it expired', async () => {
    await takeJobLease(database.db, 'expired', 'a', 60)
    await sql`update job_lease set expires_at = now() - interval '1 second' where name = 'expired'`.execute(database.db)

    expect(await takeJobLease(database.db, 'expired', 'b', 60)).toBe(true)
    expect(await takeJobLease(database.db, 'expired', 'a', 60)).toBe(false)
  })

  it('is released only by its holder', async () => {
    await takeJobLease(database.db, 'released', 'a', 60)

    await releaseJobLease(database.db, 'released', 'b')
    expect(await takeJobLease(database.db, 'released', 'b', 60)).toBe(false)

    await releaseJobLease(database.db, 'released', 'a')
    expect(await takeJobLease(database.db, 'released', 'b', 60)).toBe(true)
  })
})
