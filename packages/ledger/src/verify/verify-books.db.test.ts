import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { dropUsageLogPartitions, openVault, raiseUsageLogFloor } from '@tidegate/storage'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatDigest, listDigests, parseDigest, writeDigest } from '../seals/digests.ts'
import { sealLedger } from '../seals/seal-ledger.ts'
import { seedSite, settle, vault, type TestSite } from '../../test/seeded-site.ts'
import { findRollupDifferences } from './find-imbalances.ts'
import { verifyLedger } from './verify-books.ts'

let database: ThrowAwayDatabase
let site: TestSite

beforeEach(async () => {
  database = await workerDatabase()
  site = await seedSite(database.db)
  await sealLedger(database.db, { vault, now: new Date() })
  await settle(site, [{ tokens: 30 }])
  await sealLedger(database.db, { vault, now: new Date() })
})
afterEach(() => database.close())

const run = (statements: string) => database.pool.query(statements)
const problems = async () => (await verifyLedger(database.db, { vault })).problems

it('finds no problems on a site where everything happened once', async () => {
  expect(await verifyLedger(database.db, { vault })).toEqual({ problems: [], notes: [] })
})

it('compares sums without compiling the statement, which takes longer than running it', async () => {
  await database.db.transaction().execute(async (transaction) => {
    expect(await findRollupDifferences(transaction)).toEqual([])
    expect((await sql`show jit`.execute(transaction)).rows).toEqual([{ jit: 'off' }])
  })
})

it('finds no problems while rows wait for their seal and some requests have no log row', async () => {
  await settle(site, [{ tokens: 5 }, { tokens: 6, keepLog: false }])
  expect(await problems()).toEqual([])
})

describe('detects changes by SQL:', () => {
  it.each([
    ['a balance', `update "user" set quota = quota + 7 where id = $user`, /^balance: user \d+ holds/],
    [
      'the amount of an entry',
      `update ledger_entry set amount = amount + 5 where id = $entry`,
      /^chain: seal \d+ of ledger_entry/,
    ],
    [
      'the quota of a log row',
      `update usage_log set quota = quota * 10 where id = $log`,
      /^bill: log row \d+ .* charged/,
    ],
    [
      'the quota of a log row, against the roll-up',
      `update usage_log set quota = quota * 10 where id = $log`,
      /^usage log: user \d+, model a-model/,
    ],
    [
      'the owner of a log row',
      `update usage_log set user_id = $inviter where id = $log`,
      /^usage log: user \d+, model a-model/,
    ],
    [
      'the lines of a log row',
      `update usage_log set other = jsonb_set(other, '{lines,0,2}', '1') where id = $log`,
      /^bill: log row/,
    ],
    [
      'the lines of a log row away',
      `update usage_log set other = '{}' where id = $log`,
      /^bill: .* cannot be computed again/,
    ],
    ['a log row away', `delete from usage_log where id = $log`, /^usage log: user \d+/],
    [
      'the used quota of a user',
      `update "user" set used_quota = used_quota + 7 where id = $user`,
      /^counter: used quota of user/,
    ],
    [
      'the used quota of a token',
      `update token set used_quota = used_quota + 7`,
      /^counter: used quota of token \d+ is/,
    ],
    [
      'the used quota of a channel',
      `update channel set used_quota = used_quota + 7`,
      /^counter: used quota of channel/,
    ],
    [
      'the earnings of an inviter',
      `update "user" set aff_quota = aff_quota + 7 where id = $inviter`,
      /^counter: invitation earnings/,
    ],
    [
      'the model of a roll-up',
      `update usage_rollup set model_name = 'cheap' where model_name = 'other-model'`,
      /^sum: user_day, user \d+, .* model cheap/,
    ],
    ['the user of a roll-up', `update usage_rollup set user_id = $inviter`, /^sum: spender_day/],
    [
      'a lease below zero',
      `insert into credit_lease (holder, user_id, amount) values ('x', $user, -5)`,
      /^lease: process x holds -5 of user/,
    ],
    [
      'a paid order',
      `insert into top_up (user_id, trade_no, units, quota, money, payment_method, status) values ($user, 'T2', 1, 1, 1, 'card', 'success')`,
      /^ledger: payment order T2 has no ledger entry/,
    ],
    [
      'what an order says was reversed',
      `update top_up set reversed_quota = reversed_quota - 1`,
      /^ledger: reversal of payment order T1 has no ledger entry/,
    ],
    [
      'the reversal of a rebate away',
      `delete from ledger_entry where kind = 'rebate_reversal'`,
      /^ledger: reversal of payment order T1 has no ledger entry/,
    ],
    [
      'a reversal that no provider reported',
      `insert into ledger_entry (user_id, kind, amount, reference) values ($user, 'top_up_dispute', 5, 'top_up:T1:9')`,
      /^ledger: entry \d+ \(top_up_dispute of 5/,
    ],
    [
      'a used code',
      `insert into redemption_use (redemption_id, user_id) select id, $inviter from redemption`,
      /^ledger: redemption code \d+ used by user \d+ has no/,
    ],
    [
      'a check-in',
      `insert into check_in (user_id, day, reward) values ($inviter, '2020-01-01', 5)`,
      /^ledger: check-in of user/,
    ],
    [
      'the amount of a paid order',
      `update top_up set quota = 1, reversed_quota = 0`,
      /^ledger: entry \d+ \(top_up of 500000/,
    ],
    ['the audit event of a balance', `delete from audit_event`, /^ledger: entry \d+ \(admin_change/],
    [
      'the entry of a refund away',
      `delete from ledger_entry where kind = 'refund'`,
      /^ledger: refunded task \d+ of user \d+ has no ledger entry/,
    ],
    ['a settlement batch', `update settlement_batch set quota = 1`, /^chain: seal \d+ of settlement_batch/],
    ['a settlement batch away', `delete from settlement_batch`, /^chain: seal \d+ of settlement_batch: has 0 rows/],
    ['the sums of a seal', `update ledger_seal set amount = 0`, /^chain: seal \d+ was changed/],
    ['a seal away', `delete from ledger_seal where id = 3`, /^chain: seals 3 to 3 are missing/],
  ])('%s', async (_, statement, expected) => {
    await tamper(statement)
    expect(await problems()).toContainEqual(expect.stringMatching(expected))
  })

  it.each([
    'setup_grant',
    'signup_gift',
    'invite_reward',
    'rebate',
    'top_up',
    'redemption',
    'check_in',
    'admin_change',
    'gift',
  ])('a balance with a forged entry of kind %s', async (kind) => {
    await tamper(`update "user" set quota = quota + 1000000 where id = $inviter`)
    await tamper(
      `insert into ledger_entry (user_id, kind, amount, reference) values ($inviter, '${kind}', 1000000, 'forged')`,
    )
    expect(await problems()).toEqual([expect.stringMatching(/^ledger: entry \d+ .* has no matching cause$/)])
  })

  it('a balance with a forged refund', async () => {
    await tamper(`update "user" set quota = quota + 1000, used_quota = used_quota - 1000 where id = $user`)
    await tamper(
      `insert into ledger_entry (user_id, kind, amount, reference) values ($user, 'refund', 1000, 'video:999')`,
    )
    expect(await problems()).toEqual([expect.stringMatching(/^ledger: entry \d+ .* has no matching cause$/)])
  })

  it('a balance with a forged transfer of earnings', async () => {
    await tamper(`update "user" set quota = quota + 1000000 where id = $inviter`)
    await tamper(`insert into ledger_entry (user_id, kind, amount) values ($inviter, 'invite_transfer', 1000000)`)
    expect(await problems()).toEqual([expect.stringMatching(/^counter: invitation earnings of user/)])
  })

  it('a complete forged payment inserted before the last seal', async () => {
    await tamper(`update "user" set quota = quota + 1000 where id = $user`)
    await tamper(`insert into top_up (user_id, trade_no, units, quota, money, payment_method, status)
      values ($user, 'T9', 1, 1000, 1, 'card', 'success')`)
    await tamper(`insert into ledger_entry (user_id, kind, amount, reference, seal)
      values ($user, 'top_up', 1000, 'top_up:T9', 3)`)
    expect(await problems()).toEqual([expect.stringMatching(/^chain: .*seal 3/)])
  })

  it('usage removed from every sum, balance and log row', async () => {
    const quota = 460 // of 480, so that 20 are left
    for (const [table, where] of [
      ['usage_rollup', `model_name = 'other-model'`],
      ['user_day', `model_name = 'other-model'`],
      ['site_day', `model_name = 'other-model'`],
      ['site_hour', `model_name = 'other-model'`],
      ['channel_day', `model_name = 'other-model'`],
      ['spender_day', 'true'],
      ['sold_day', 'true'],
    ] as const) {
      await tamper(`update ${table} set quota = quota - ${quota} where ${where}`)
    }
    await tamper(`update usage_rollup set logged_quota = logged_quota - ${quota} where model_name = 'other-model'`)
    await tamper(`update usage_log set quota = quota - ${quota}, other = jsonb_set(other, '{lines}', '[["call", 1, 20]]')
      where model_name = 'other-model'`)
    await tamper(`update token set used_quota = used_quota - ${quota}`)
    await tamper(`update channel set used_quota = used_quota - ${quota}`)
    await tamper(`update "user" set quota = quota + ${quota}, used_quota = used_quota - ${quota} where id = $user`)
    expect(await problems()).toEqual([
      expect.stringMatching(/^chain: roll-ups hold usage of \d+, settlement batches \d+/),
    ])
  })
})

describe('digests', () => {
  it('are written once a day and match the chain', async () => {
    const now = new Date()
    expect(await writeDigest(database.db, { vault, now })).toMatchObject({ day: now.toISOString().slice(0, 10) })
    expect(await writeDigest(database.db, { vault, now })).toBeUndefined()
    expect(await problems()).toEqual([])
  })

  it("detect a chain that was rewritten with the site's secret key", async () => {
    await writeDigest(database.db, { vault, now: new Date() })
    const external = (await listDigests(database.db)).map((digest) => parseDigest(formatDigest(digest))!)
    await run(`delete from ledger_digest; delete from ledger_seal`)
    await run(`update ledger_entry set seal = 1, amount = amount + 1 where kind = 'signup_gift';
      update settlement_batch set seal = 2; update ledger_entry set seal = 1; update "user" set quota = quota + 1`)
    await sealLedger(database.db, { vault, now: new Date() })
    expect(await problems()).toEqual([])
    const { problems: found } = await verifyLedger(database.db, { vault, digests: external })
    expect(found).toEqual([expect.stringMatching(/^chain: kept digest of .* (names seal|does not match)/)])
  })

  it('are rejected if they were signed with another key', async () => {
    const other = openVault(new Uint8Array(32).fill(8))
    const forged = await writeDigest(database.db, { vault: other, now: new Date() })
    expect(forged).toBeDefined()
    expect(await problems()).toEqual([expect.stringMatching(/^chain: digest of .* was changed, or was signed/)])
  })
})

it('does not compare hours whose log was removed, and notes it', async () => {
  await raiseUsageLogFloor(database.db, new Date())
  await run('delete from usage_log where type = 2')
  const { problems: found, notes } = await verifyLedger(database.db, { vault })
  expect(found).toEqual([])
  expect(notes).toEqual([expect.stringMatching(/^Log rows are compared with roll-ups from .* on\.$/)])
})

it('knows the days that retention drops', async () => {
  await dropUsageLogPartitions(database.db, { before: new Date(Date.now() + 2 * 86_400_000) })
  expect(await problems()).toEqual([])
})

describe('leases of a dead process', () => {
  const lease = `insert into credit_lease (holder, user_id, amount, updated_at)
    select 'gone', id, 10, now() - interval '1 hour' from "user" where id = $user`

  it('are an error while a worker runs that should have returned them', async () => {
    await tamper(lease)
    await tamper(`update "user" set quota = quota - 10 where id = $user`)
    await run(`insert into job_lease values ('reclaim-leases', 'worker', now())`)
    expect(await problems()).toEqual([expect.stringMatching(/^lease: process gone is gone and still holds 10 of user/)])
  })

  it('are a note on a stopped site', async () => {
    await tamper(lease)
    await tamper(`update "user" set quota = quota - 10 where id = $user`)
    const { problems: found, notes } = await verifyLedger(database.db, { vault })
    expect([found, notes]).toEqual([[], [expect.stringMatching(/^1 leases belong to stopped processes/)]])
  })
})

it('reads one snapshot: concurrent settlements and seals cause no differences', async () => {
  const writing = Array.from({ length: 20 }, (_, index) => settle(site, [{ tokens: index + 1 }], `process-${index}`))
  const sealing = sealLedger(database.db, { vault, now: new Date(), limit: 2 })
  const findings = await Promise.all([problems(), problems(), problems()])
  await Promise.all([...writing, sealing])
  expect(findings).toEqual([[], [], []])
})

async function tamper(statement: string): Promise<void> {
  const { rows } = await run(`select max(id) as id from ledger_entry where kind = 'top_up'`)
  const logs = await run(`select min(id) as id from usage_log where model_name = 'a-model'`)
  const values = {
    user: site.userId,
    inviter: site.inviterId,
    entry: rows[0].id as number,
    log: logs.rows[0].id as number,
  }
  await run(statement.replaceAll(/\$(\w+)/g, (_, name: keyof typeof values) => String(values[name])))
}
