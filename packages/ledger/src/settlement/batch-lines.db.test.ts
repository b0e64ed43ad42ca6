import type { Db, DatabaseHandle } from '@tidegate/storage'
import { workerDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chargeOf, readBalances, seedToken, seedUser, settlementOf } from '../../test/books.ts'
import { takeLease } from '../leases/lease-rows.ts'
import { findImbalances, findRollupDifferences } from '../verify/find-imbalances.ts'
import { settleBatch } from './apply-batch.ts'

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
  const batchId = `batch_${(count += 1)}`
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
    charge(number: number, quota: number) {
      const base = { requestId: `${batchId}-${number}`, userId, tokenId, tokenUnlimited: false }
      return settlementOf(chargeOf(base, quota, { batchLine: { batchId, number } }))
    },
    plain: (quota: number) =>
      settlementOf(chargeOf({ requestId: `r-${count}`, userId, tokenId, tokenUnlimited: false }, quota)),
    funds: () => readBalances(db, userId, tokenId),
    lease: (holder: string, amount: number) =>
      Promise.all(
        [0, tokenId].map((token) => takeLease(db, { holder, userId, tokenId: token, need: amount, want: amount })),
      ),
    leased: async () => {
      const rows = await db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute()
      return rows.map(({ amount }) => amount)
    },
    charged: async () =>
      (await db.selectFrom('batch').select('charged').where('id', '=', batchId).executeTakeFirstOrThrow()).charged,
    logged: async () =>
      (await db.selectFrom('usage_log').select('quota').where('user_id', '=', userId).execute()).map(
        ({ quota }) => quota,
      ),
  }
}

const holder = () => `worker-${(count += 1)}`

describe('a line of a batch', () => {
  it('is charged once, also when another process settles its second run', async () => {
    const batch = await aBatch()

    await settleBatch(db, { holder: holder(), number: 1 }, [batch.charge(1, 30), batch.charge(2, 40)])
    await settleBatch(db, { holder: holder(), number: 1 }, [batch.charge(2, 45), batch.charge(3, 50), batch.plain(7)])

    expect(await batch.funds()).toEqual({ user: FUNDS - 127, token: FUNDS - 127 })
    expect(await batch.charged()).toBe(120)
    expect((await batch.logged()).toSorted((a, b) => a - b)).toEqual([7, 30, 40, 50])
  })

  it('is charged once when one settlement batch has it twice', async () => {
    const batch = await aBatch()

    await settleBatch(db, { holder: holder(), number: 1 }, [batch.charge(1, 30), batch.charge(1, 35)])

    expect(await batch.funds()).toEqual({ user: FUNDS - 30, token: FUNDS - 30 })
  })

  it('is charged once when two processes settle it at the same time', async () => {
    const batch = await aBatch()
    const lines = [1, 2, 3, 4, 5]
    const forward = lines.map((number) => batch.charge(number, 10))

    await Promise.all([
      settleBatch(db, { holder: holder(), number: 1 }, forward),
      settleBatch(db, { holder: holder(), number: 1 }, forward.toReversed()),
    ])

    expect(await batch.funds()).toEqual({ user: FUNDS - 50, token: FUNDS - 50 })
    expect(await batch.charged()).toBe(50)
  })

  it('returns the leased credit of a charge that is dropped', async () => {
    const batch = await aBatch()
    await settleBatch(db, { holder: holder(), number: 1 }, [batch.charge(1, 30)])
    const second = holder()
    await batch.lease(second, 30)

    await settleBatch(db, { holder: second, number: 1 }, [batch.charge(1, 30)])

    expect(await batch.leased()).toEqual([])
    expect(await batch.funds()).toEqual({ user: FUNDS - 30, token: FUNDS - 30 })
  })
})
