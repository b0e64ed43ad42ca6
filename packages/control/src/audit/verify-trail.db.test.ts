import { auditChain } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentHash, formatAuditDigest, linkHash, parseAuditDigest } from './chain.ts'
import { sealEvents } from './seal-events.ts'
import { problemsOf, recordEvents, seedTrail, vault } from '../../test/audit-trail.ts'
import { verifyAuditTrail } from './verify-trail.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await workerDatabase()
  await seedTrail(database.db)
})
afterEach(() => database.close())

const run = (statements: string) => sql.raw(statements).execute(database.db)

it('finds no problems in an unchanged trail and states what it does not prove', async () => {
  await recordEvents(database.db, 2, new Date('2030-03-03T10:00:03Z'))

  expect(await verifyAuditTrail(database.db, { vault })).toEqual({
    problems: [],
    notes: [
      'Audit trail: 15 events of 3 days sealed, up to 2030-03-03T10:00:02.000Z. Not sealed yet and not proved: 2 newer events.',
      expect.stringContaining('not proved against a person who has the secret key'),
    ],
  })
})

it.each([
  {
    what: 'a changed event',
    change: `update audit_event set details = '{"number": 2}' where id = 2`,
    expected: ['2030-03-01, seal 1: event 2 or the one before it was changed or moved'],
  },
  {
    what: 'a changed time of an event',
    change: `update audit_event set created_at = created_at + interval '1 microsecond' where id = 8`,
    expected: ['2030-03-02, seal 5: event 8 or the one before it was changed or moved'],
  },
  {
    what: 'a changed number beyond what a float can tell',
    change: `update audit_event set details = jsonb_set(details, '{number}', '1.0') where id = 1`,
    expected: ['2030-03-01, seal 1: event 1 or the one before it was changed or moved'],
  },
  {
    what: 'a deleted event',
    change: `delete from audit_event where id = 3`,
    expected: ['2030-03-01, seal 2: 1 of 2 events were deleted; the chain breaks at event 4'],
  },
  {
    what: 'an event that lost its seal',
    change: `update audit_event set seal = null, hash = null where id = 4`,
    expected: ['2030-03-01, seal 2: 1 of 2 events were deleted'],
  },
  {
    what: 'an inserted event',
    change: `insert into audit_event (id, action, seal, hash, created_at) values (900, 'user.enable', 1, 'x', '2030-03-01 10:00:00Z')`,
    expected: ['2030-03-01, seal 1: event 900 was inserted'],
  },
  {
    what: 'an event inserted between two others',
    change: `update audit_event set id = 800 where id = 2;
      insert into audit_event (id, action, seal, hash, created_at) values (2, 'user.enable', 1, 'x', '2030-03-01 10:00:00Z')`,
    expected: [
      '2030-03-01, seal 1: event 2 or the one before it was changed or moved',
      '2030-03-01, seal 1: event 800 or the one before it was changed or moved',
    ],
  },
  {
    what: 'reordered events',
    change: `update audit_event set id = -id where id in (1, 2); update audit_event set id = id + 3 where id < 0`,
    expected: [
      '2030-03-01, seal 1: event 1 or the one before it was changed or moved',
      '2030-03-01, seal 1: event 2 or the one before it was changed or moved',
    ],
  },
  {
    what: 'an event moved to another day',
    change: `update audit_event set seal = 4 where id = 2`,
    expected: ['2030-03-01, seal 1: 1 of 2 events were deleted', '2030-03-02, seal 4: event 2 was inserted'],
  },
  {
    what: 'an event of a seal that does not exist',
    change: `update audit_event set seal = 77 where id = 15`,
    expected: ['2030-03-03, seal 9: 1 of 1 events were deleted', 'event 15 names seal 77, which does not exist'],
  },
  {
    what: 'the end of a closed day, cut off with its seal',
    change: `delete from audit_event where seal = 6; delete from audit_seal where id = 6`,
    expected: [
      'seals 6 to 6 are missing after 2030-03-02',
      'digest of 2030-03-02 ends at seal 6 with 5 events; found seal 5 with 4',
    ],
  },
  {
    what: 'a missing day',
    change: `delete from audit_event where seal in (4, 5, 6); delete from audit_seal where day = '2030-03-02';
      delete from audit_digest where day = '2030-03-02'`,
    expected: ['seals 4 to 6 are missing after 2030-03-01'],
  },
  {
    what: 'a missing day whose seals were numbered again',
    change: `delete from audit_event where seal in (4, 5, 6); delete from audit_seal where day = '2030-03-02';
      delete from audit_digest where day = '2030-03-02';
      update audit_event set seal = seal - 3 where seal > 6; update audit_seal set id = id - 3 where id > 6`,
    expected: [
      '2030-03-03, seal 4: does not continue the chain before it',
      ...[4, 5, 6].map((id) => `2030-03-03, seal ${id}: was changed, or was written with another secret key`),
    ],
  },
  {
    what: 'a missing beginning',
    change: `delete from audit_event where seal = 1; delete from audit_seal where id = 1`,
    expected: [expect.stringContaining('seals 1 to 1 are missing at the beginning')],
  },
  {
    what: 'a missing digest',
    change: `delete from audit_digest where day = '2030-03-01'`,
    expected: ['the digest before 2030-03-02 is missing or was changed', 'the digest of 2030-03-01 is missing'],
  },
  {
    what: 'a changed digest',
    change: `update audit_digest set event_count = 4 where day = '2030-03-02'`,
    expected: ['digest of 2030-03-02 was changed, or was signed with another secret key'],
  },
  {
    what: 'a changed seal',
    change: `update audit_seal set sealed_at = sealed_at - interval '1 day' where id = 2`,
    expected: ['2030-03-01, seal 2: was changed, or was written with another secret key'],
  },
])('reports $what', async ({ change, expected }) => {
  await run(change)

  expect(await problemsOf(database.db)).toEqual(
    expected.map((line) => (typeof line === 'string' ? `audit: ${line}` : line)),
  )
})

describe('an attacker who can write to the database', () => {
  it('cannot hide a change by recomputing the event hashes', async () => {
    const { db } = database
    await run(`update audit_event set details = '{}' where id = 15`)
    const [last] = await auditChain.pageAfter(db, {}, { seal: 8, id: 14 }, 1)
    const hash = linkHash(last!.previous_hash, contentHash(last!))
    await db.updateTable('audit_event').set({ hash }).where('id', '=', 15).execute()

    expect(await problemsOf(db)).toEqual(['audit: 2030-03-03, seal 9: its events were rewritten'])

    await db.updateTable('audit_seal').set({ head: hash }).where('id', '=', 9).execute()
    expect(await problemsOf(db)).toEqual([
      'audit: 2030-03-03, seal 9: was changed, or was written with another secret key',
    ])
  })

  it('cannot insert an event of a past day', async () => {
    const { db } = database
    await run(`insert into audit_event (action, created_at) values ('user.enable', '2030-03-01 11:00:00Z')`)
    await sealEvents(db, { vault, now: new Date('2030-03-03T10:00:04Z') })

    expect(await problemsOf(db)).toEqual([
      'audit: event 16 is dated 2030-03-01T11:00:00.000000Z, but was sealed after an event of 2030-03-03T10:00:00.000Z',
    ])
  })

  it('cannot replace the chain without being detected by stored digests', async () => {
    const { db } = database
    const kept = (await auditChain.listDigests(db)).map((digest) => parseAuditDigest(formatAuditDigest(digest))!)
    expect(await problemsOf(db, kept)).toEqual([])
    await run(`delete from audit_digest; delete from audit_seal; delete from audit_event where id < 6;
      update audit_event set seal = null, hash = null`)
    await sealEvents(db, { vault, now: new Date('2030-03-03T10:00:05Z') })

    expect(await problemsOf(db)).toEqual([])
    expect(await problemsOf(db, kept)).toEqual([
      'audit: kept digest of 2030-03-01 names 5 events, but the chain of that day is missing',
      'audit: kept digest of 2030-03-02 names 5 events, but the chain of that day is missing',
    ])
  })
})

it('verifies more events than one batch', async () => {
  const { db } = database
  await run(
    `insert into audit_event (action, created_at) select 'user.login', '2030-03-03 11:00:00Z' from generate_series(1, 12000)`,
  )
  await sealEvents(db, { vault, now: new Date('2030-03-03T11:00:00Z') })

  expect(await verifyAuditTrail(db, { vault })).toMatchObject({
    problems: [],
    notes: [expect.stringContaining('12015 events of 3 days'), expect.any(String)],
  })
})
