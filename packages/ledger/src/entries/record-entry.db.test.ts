import type { Db } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerEntry, recordEntry, recordEntries } from './record-entry.ts'
import { findImbalances } from '../verify/find-imbalances.ts'
import { seedUsers, seedUser, balanceOf, lease, race, times } from '../../test/entries/accounts.ts'

let database: ThrowAwayDatabase
let db: Db
beforeAll(async () => {
  database = await workerDatabase({ poolSize: 20 })
  db = database.db
})
afterAll(() => database.close())
afterEach(async () => expect(await findImbalances(db)).toEqual([]))

function recordAll(entries: readonly LedgerEntry[]): Promise<void> {
  return db.transaction().execute((transaction) => recordEntries(transaction, entries))
}

async function aToken(userId: number): Promise<number> {
  const name = `token${userId}${Math.random()}`
  const row = { user_id: userId, name, hash: name, sealed_key: '', hint: '', remain_quota: 0, unlimited_quota: false }
  const { id } = await db.insertInto('token').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** All fields of an entry except id and time. */
function entriesOf(userId: number) {
  return db
    .selectFrom('ledger_entry')
    .select(['token_id', 'kind', 'amount', 'reference', 'actor_id', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

describe('recording many entries', () => {
  it('records each as if it were alone', async () => {
    const [one, other] = [await seedUser(db), await seedUser(db)]
    const sampleEntries = (userId: number): LedgerEntry[] => [
      {
        userId,
        kind: 'setup_grant',
        amount: 9_007_199_254_740_000,
        reference: 'import',
        details: { from: '林 "x"\\' },
      },
      { userId, kind: 'admin_change', amount: -25, actorId: 7 },
      { userId, kind: 'signup_gift', amount: 5 },
    ]

    for (const entry of sampleEntries(one)) await recordEntry(db, entry)
    await recordAll(sampleEntries(other))

    expect(await entriesOf(other)).toEqual(await entriesOf(one))
    expect(await balanceOf(db, other)).toBe(9_007_199_254_739_980)
  })

  it('changes users and tokens by their own sums, and no others', async () => {
    const bystander = await seedUser(db, { quota: 3 })
    const owner = await seedUser(db, { quota: 10 })
    const tokenId = await aToken(owner)

    await recordAll([
      { userId: owner, kind: 'signup_gift', amount: 100 },
      { userId: owner, tokenId, kind: 'token_limit', amount: 40, reference: 'one' },
      { userId: owner, tokenId, kind: 'token_limit', amount: -50, reference: 'two' },
    ])

    const token = await db.selectFrom('token').select('remain_quota').where('id', '=', tokenId).executeTakeFirst()
    expect(token).toEqual({ remain_quota: -10 })
    expect(await balanceOf(db, owner)).toBe(110)
    expect(await balanceOf(db, bystander)).toBe(3)
  })

  it('records none if one was recorded before', async () => {
    const [had, fresh] = [await seedUser(db), await seedUser(db)]
    const brings = (userId: number): LedgerEntry => ({ userId, kind: 'setup_grant', amount: 70, reference: 'import' })
    await recordAll([brings(had)])

    await expect(recordAll([brings(fresh), brings(had)])).rejects.toThrow('duplicate key')

    expect([await balanceOf(db, had), await balanceOf(db, fresh)]).toEqual([70, 0])
    expect(await entriesOf(fresh)).toEqual([])
  })

  it('accepts more entries than fit into one statement', async () => {
    const users = await seedUsers(db, 5_003)

    await recordAll(users.map((userId, index) => ({ userId, kind: 'setup_grant', amount: index + 1 })))

    const rows = await db.selectFrom('user').select(['id', 'quota']).where('id', 'in', users).execute()
    const balances = new Map(rows.map(({ id, quota }) => [id, quota]))
    expect(users.map((id) => balances.get(id))).toEqual(times(5_003, (index) => index + 1))
  })

  it('clears the low balance mark like a single entry, including leased credit', async () => {
    const [risen, low] = [await seedUser(db, { quota: 400_000 }), await seedUser(db)]
    await lease(db, risen, 400_000)
    await db.updateTable('user').set({ low_balance_since: new Date() }).where('id', 'in', [risen, low]).execute()

    await recordAll([risen, low].map((userId) => ({ userId, kind: 'signup_gift', amount: 150_000 })))

    const marked = await db
      .selectFrom('user')
      .select('id')
      .where('id', 'in', [risen, low])
      .where('low_balance_since', 'is not', null)
      .execute()
    expect(marked).toEqual([{ id: low }])
  })

  it('loses nothing and does not deadlock on the same accounts', async () => {
    const users = await seedUsers(db, 30)
    const everyone = users.map((userId): LedgerEntry => ({ userId, kind: 'signup_gift', amount: 3 }))

    await race(times(20, (index) => () => recordAll(index % 2 === 0 ? everyone : everyone.toReversed())))

    const rows = await db.selectFrom('user').select('quota').where('id', 'in', users).execute()
    expect(rows.map(({ quota }) => quota)).toEqual(times(30, () => 60))
  })
})
