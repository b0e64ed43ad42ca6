import type { Db, DatabaseHandle } from '@tidegate/storage'
import { workerDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { outcome, readBalances, readBooks, seedToken, seedUser } from '../test/books.ts'
import { BatchNotCovered, releaseBatchCredit, reserveBatchCredit, settleBatchLines } from './batch-credit.ts'
import { isLeasedElsewhere } from './leases/lease-rows.ts'
import { reclaimExpiredLeases } from './leases/processes.ts'
import { findImbalances, findRollupDifferences } from './verify/find-imbalances.ts'

const FUNDS = 1_000

let handle: DatabaseHandle
let db: Db
let count = 0
beforeAll(async () => {
  handle = await workerDatabase({ poolSize: 10 })
  db = handle.db
})
afterAll(() => handle.close())
afterEach(async () => {
  expect(await findImbalances(db)).toEqual([])
  expect(await findRollupDifferences(db)).toEqual([])
})

async function aBatch() {
  const userId = await seedUser(db, FUNDS)
  const tokenId = await seedToken(db, userId, FUNDS)
  const batchId = `batch_upstream_${(count += 1)}`
  const account = { batchId, userId, tokenId, tokenUnlimited: false }
  await db
    .insertInto('batch')
    .values({
      id: batchId,
      user_id: userId,
      token_id: tokenId,
      token_name: 'a token',
      protocol: 'openai',
      endpoint: '/v1/chat/completions',
      state: 'in_progress',
      client_ip: '',
      deadline: new Date(),
    })
    .execute()
  return {
    userId,
    tokenId,
    batchId,
    reserve: (amount: number) =>
      db.transaction().execute((transaction) => reserveBatchCredit(transaction, account, amount)),
    settle: (lines: Readonly<Record<number, number>>) =>
      settleBatchLines(
        db,
        account,
        Object.entries(lines).map(([number, quota]) => ({
          number: Number(number),
          requestId: `${batchId}-${number}`,
          outcome: outcome(quota, { batchLine: { batchId, number: Number(number) } }),
        })),
        { keepLog: true },
      ),
    release: () => releaseBatchCredit(db, batchId),
    balances: () => readBalances(db, userId, tokenId),
    spendable: async () =>
      (await db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()).quota,
    books: () => readBooks(db, userId, tokenId),
    leases: () => db.selectFrom('credit_lease').selectAll().where('user_id', '=', userId).execute(),
  }
}

describe('the credit of a batch at a provider', () => {
  it('is reserved as a whole, charged by line, and the rest returns', async () => {
    const batch = await aBatch()

    await batch.reserve(600)
    expect(await batch.spendable()).toBe(FUNDS - 600)
    await batch.settle({ 1: 100, 2: 150 })
    await batch.settle({ 3: 50 })
    await batch.release()

    expect(await batch.spendable()).toBe(FUNDS - 300)
    expect(await batch.balances()).toEqual({ user: FUNDS - 300, token: FUNDS - 300 })
    expect((await batch.books()).logged.toSorted((a, b) => a - b)).toEqual([50, 100, 150])
    expect(await batch.leases()).toEqual([])
  })

  it('charges each line once, however often its result is read', async () => {
    const batch = await aBatch()
    await batch.reserve(600)

    await batch.settle({ 1: 100, 2: 150 })
    await batch.settle({ 1: 100, 2: 150, 3: 50 })
    await Promise.all([batch.settle({ 3: 50, 4: 10 }), batch.settle({ 4: 10, 5: 20 })])
    await batch.release()

    expect(await batch.spendable()).toBe(FUNDS - 330)
  })

  it('takes nothing where an account does not hold the amount', async () => {
    const batch = await aBatch()

    await expect(batch.reserve(FUNDS + 1)).rejects.toThrow(BatchNotCovered)

    expect(await batch.spendable()).toBe(FUNDS)
    expect(await batch.leases()).toEqual([])
  })

  it('charges beyond the reservation as far as the account allows', async () => {
    const batch = await aBatch()
    await batch.reserve(100)

    expect(await batch.settle({ 1: 300, 2: 900 })).toBe(200)
    await batch.release()

    expect(await batch.spendable()).toBe(0)
    expect(await batch.balances()).toEqual({ user: 0, token: 0 })
  })

  it('stays reserved while no process has it, and is not recalled', async () => {
    const batch = await aBatch()
    await batch.reserve(600)

    await reclaimExpiredLeases(db, { wait: async () => {} })

    expect((await batch.leases()).map(({ amount }) => amount)).toEqual([600, 600])
    expect(await isLeasedElsewhere(db, 'a-process', { userId: batch.userId, tokenId: 0 })).toBe(false)
    await batch.release()
  })
})
