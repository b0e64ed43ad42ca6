import { fork } from 'node:child_process'
import { once } from 'node:events'
import { throwAwayDatabase, workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { migrations } from '@tidegate/storage'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { purgeBatches } from '../settlement/settled-batches.ts'
import { seedSite, settle, vault, type TestSite } from '../../test/seeded-site.ts'
import { verifyLedger } from '../verify/verify-books.ts'
import { sealLedger } from './seal-ledger.ts'

const DAY_MS = 86_400_000

let database: ThrowAwayDatabase
let site: TestSite
beforeEach(async () => {
  database = await workerDatabase()
  site = await seedSite(database.db)
})
afterEach(() => database.close())

const seal = (now = new Date(), limit = 10_000) => sealLedger(database.db, { vault, now, limit })
const verify = (now = new Date()) => verifyLedger(database.db, { vault, now })

async function countUnsealed(): Promise<number> {
  const entries = await database.db.selectFrom('ledger_entry').select('id').where('seal', 'is', null).execute()
  const batches = await database.db.selectFrom('settlement_batch').select('batch').where('seal', 'is', null).execute()
  return entries.length + batches.length
}

it('seals every row once with concurrent workers', async () => {
  const workers = () => Promise.all(Array.from({ length: 4 }, () => seal(new Date(), 2)))
  await Promise.all([workers(), settle(site, [{ tokens: 1 }], 'one'), settle(site, [{ tokens: 2 }], 'two')])
  await seal(new Date(), 2)
  expect(await countUnsealed()).toBe(0)
  expect((await verify()).problems).toEqual([])
})

it('leaves a complete chain when a worker is killed', async () => {
  const victim = fork(new URL('../../test/seal-process.ts', import.meta.url), [database.url])
  expect(await once(victim, 'exit')).toEqual([null, 'SIGKILL'])
  const seals = await database.db.selectFrom('ledger_seal').select('id').orderBy('id').execute()
  expect(seals.map(({ id }) => id)).toEqual([1, 2])
  await seal()
  expect(await countUnsealed()).toBe(0)
  expect(await verify()).toEqual({ problems: [], notes: [] })
})

it('seals an entry that commits after a later one was sealed', async () => {
  await seal()
  const late = await database.pool.connect()
  try {
    await late.query('begin')
    await late.query(`insert into ledger_entry (user_id, token_id, kind, amount)
      values (${site.userId}, ${site.tokenId}, 'token_limit', 0)`)
    await database.pool.query(`insert into ledger_entry (user_id, token_id, kind, amount)
      values (${site.userId}, ${site.tokenId}, 'token_limit', 0)`)
    await seal()
    expect((await verify()).problems).toEqual([])
    await late.query('commit')
  } finally {
    late.release()
  }
  expect(await countUnsealed()).toBe(1)
  await seal()
  expect(await countUnsealed()).toBe(0)
  expect((await verify()).problems).toEqual([])
})

it('keeps the usage of removed batches in their seals', async () => {
  const now = new Date()
  await seal(new Date(now.getTime() - 8 * DAY_MS))
  await settle(site, [{ tokens: 4 }])
  await database.pool.query(
    `insert into settlement_batch (holder, batch, receipts, quota) values ('a-process', 999, 0, 0)`,
  )
  await purgeBatches(database.db, new Date(now.getTime() + DAY_MS))
  const remaining = await database.db.selectFrom('settlement_batch').select('batch').execute()
  expect(remaining).toHaveLength(2)
  expect(await verify(now)).toEqual({ problems: [], notes: [] })
})

it('takes the amount of batches of an older version from the roll-ups, on the first day only', async () => {
  const now = new Date()
  await seal(now)
  await settle(site, [{ tokens: 4 }])
  await database.pool.query(`update settlement_batch set quota = null where seal is null`)
  expect((await verify()).notes).toEqual([expect.stringMatching(/^Total usage was not compared/)])
  await seal(now)
  expect(await verify()).toEqual({ problems: [], notes: [] })

  await settle(site, [{ tokens: 5 }])
  await database.pool.query(
    `update settlement_batch set quota = null, applied_at = now() + interval '2 days' where seal is null`,
  )
  await seal(new Date(now.getTime() + 2 * DAY_MS))
  expect((await verify()).problems).toEqual([expect.stringMatching(/^chain: roll-ups hold usage of/)])
})

it('verifies an upgraded site from its first seal on', async () => {
  const upgraded = await throwAwayDatabase()
  try {
    const { db, pool } = upgraded
    const there = await seedSite(db)
    // Counters that no sum explains, as left by an import before the upgrade.
    await pool.query(`update "user" set used_quota = used_quota + 1000, aff_quota = aff_quota + 5;
      update token set used_quota = used_quota + 300; update channel set used_quota = used_quota + 20`)
    await pool.query(`drop table ledger_seal, ledger_digest, usage_log_floor, counter_offset;
      alter table ledger_entry drop column seal;
      alter table settlement_batch drop column seal, drop column quota;
      alter table usage_rollup drop column logged_requests, drop column logged_quota`)
    await migrations['0015-ledger-seals']!.up(db)
    await migrations['0033-thinned-sums']!.up(db)

    const floor = expect.stringMatching(/^Log rows are compared with roll-ups from/)
    const check = () => verifyLedger(db, { vault })
    expect(await check()).toEqual({ problems: [], notes: [floor, expect.stringMatching(/^No ledger row is sealed/)] })
    await sealLedger(db, { vault, now: new Date() })
    await settle(there, [{ tokens: 9 }])
    expect(await check()).toEqual({ problems: [], notes: [floor] })
    await pool.query(`update ledger_entry set details = '{"forged": 1}' where kind = 'top_up'`)
    expect((await check()).problems).toEqual([
      expect.stringMatching(/^chain: seal 1 of ledger_entry: a row was changed/),
    ])
  } finally {
    await upgraded.close()
  }
})
