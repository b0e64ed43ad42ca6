import { auditChain, auditEvents } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sealEvents } from './seal-events.ts'
import { problemsOf, recordEvents, vault } from '../../test/audit-trail.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await workerDatabase()
})
afterEach(() => database.close())

const at = (time: string) => new Date(`2030-03-${time}Z`)
const seal = (time: string, limit?: number) =>
  sealEvents(database.db, { vault, now: at(time), ...(limit !== undefined && { limit }) })

async function sealsOfEvents() {
  const events = await database.db.selectFrom('audit_event').select(['id', 'seal']).orderBy('id').execute()
  return events.map(({ seal: number }) => number)
}

it('seals every event once in batches with concurrent workers', async () => {
  await recordEvents(database.db, 5, at('01T10:00:00'))

  const workers = await Promise.all(Array.from({ length: 4 }, () => seal('01T10:00:02', 2)))
  await seal('01T10:00:04', 2)

  expect(workers.flatMap(({ seals }) => seals).length).toBeGreaterThan(0)
  expect(await sealsOfEvents()).toEqual([1, 1, 2, 2, 3])
  expect(await problemsOf(database.db)).toEqual([])
})

it('does not skip an event that commits after later events were sealed', async () => {
  const { db } = database
  const slow = await db.startTransaction().execute()
  await auditEvents.record(slow, { actorId: 1, action: 'user.enable' })
  await auditEvents.record(db, { actorId: 1, action: 'user.disable' })
  await seal('01T10:00:00')
  await slow.commit().execute()

  await seal('01T10:00:02')

  expect(await sealsOfEvents()).toEqual([2, 1])
  expect(await problemsOf(db)).toEqual([])
})

it('neither blocks writers nor waits for them', async () => {
  const { db } = database
  const writer = await db.startTransaction().execute()
  await auditEvents.record(writer, { actorId: 1, action: 'user.enable' })
  await recordEvents(db, 1, at('01T10:00:00'))
  await db.transaction().execute(async (sealer) => {
    expect(await auditChain.lock(sealer)).toBe(true)
    await auditEvents.record(db, { actorId: 1, action: 'user.disable' })
  })

  await seal('01T10:00:00')
  await writer.rollback().execute()

  expect(await sealsOfEvents()).toEqual([1, 1])
})

it('starts a chain per day, linked to the previous day, and signs a digest of each finished day', async () => {
  const { db } = database
  await recordEvents(db, 2, at('01T10:00:00'))
  await seal('01T10:00:00')
  await recordEvents(db, 1, at('01T10:00:00'))
  const first = await seal('01T23:59:59')
  await recordEvents(db, 1, at('04T00:00:00'))
  const second = await seal('04T00:00:01')
  const third = await seal('05T00:00:01')

  expect(first.digests).toEqual([])
  expect(second.digests).toMatchObject([{ day: '2030-03-01', seal: 2, event_count: 3, previous_day: '' }])
  expect(second.seals).toMatchObject([{ id: 3, day: '2030-03-04', day_events: 1 }])
  expect(third).toMatchObject({ seals: [], digests: [{ day: '2030-03-04', previous_day: '2030-03-01' }] })
  expect(await auditChain.listDigests(db)).toEqual([...second.digests, ...third.digests])
  expect(await problemsOf(db)).toEqual([])
})

it('never adds to a closed day, even with a slow clock', async () => {
  const { db } = database
  await recordEvents(db, 1, at('01T10:00:00'))
  await seal('01T10:00:00')
  await seal('02T00:00:01')
  await recordEvents(db, 1, at('01T23:59:58'))

  const { seals } = await seal('01T23:59:59')

  expect(seals).toMatchObject([{ day: '2030-03-02' }])
  expect(await problemsOf(db)).toEqual([])
})

it('rolls back a seal that fails', async () => {
  const { db } = database
  await recordEvents(db, 5, at('01T10:00:00'))
  let signed = 0
  const failing: typeof vault = {
    ...vault,
    keyedHash(purpose, text) {
      if (++signed === 2) throw new Error('out of order')
      return vault.keyedHash(purpose, text)
    },
  }
  const options = { vault: failing, now: at('01T10:00:00'), limit: 2 }

  await expect(sealEvents(db, options)).rejects.toThrow('out of order')
  expect(await sealsOfEvents()).toEqual([1, 1, null, null, null])
  await sealEvents(db, options)

  expect(await sealsOfEvents()).toEqual([1, 1, 2, 2, 3])
  expect(await problemsOf(db)).toEqual([])
})

it('seals events of the previous version', async () => {
  await sql`insert into audit_event (action, created_at) select 'user.login', timestamptz '2029-01-01' + n * interval '1 hour'
    from generate_series(1, 2500) n`.execute(database.db)

  const { seals } = await seal('01T10:00:00')

  expect(seals.map(({ event_count }) => event_count)).toEqual([2000, 500])
  expect(await problemsOf(database.db)).toEqual([])
})
