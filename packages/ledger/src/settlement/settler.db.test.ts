import type { DatabaseHandle } from '@tidegate/storage'
import { removeDirectory, workerDatabase, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openCredit } from '../credit.ts'
import { seedUser, outcome, quiet } from '../../test/books.ts'

let handle: DatabaseHandle
let journals: string
beforeAll(async () => {
  handle = await workerDatabase({ poolSize: 4 })
  journals = await throwAwayDirectory()
})
afterAll(async () => {
  await handle.close()
  await removeDirectory(journals)
})

afterEach(() => vi.useRealTimers())

it('settles consecutive requests together, and all of them for a caller of flush', async () => {
  const { db } = handle
  const userId = await seedUser(db, 1_000_000)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const credit = await openCredit({ db, holder: 'one', journals, keepLog: () => true, log: quiet })
  const call = async (number: number) => {
    const request = { requestId: `call-${number}`, userId, tokenId: 0, tokenUnlimited: true, amount: 10 }
    await (await credit.reserve(request)).settle(outcome(10))
  }

  for (let number = 0; number < 100; number += 1) {
    await call(number)
    if (number % 40 === 39) await vi.advanceTimersByTimeAsync(200)
  }
  await Promise.all([credit.flush(), call(100).then(() => credit.flush()), credit.flush()])

  expect(credit.waiting().settlements).toBe(0)
  const { batches, receipts } = await db
    .selectFrom('settlement_batch')
    .select(({ fn }) => [fn.countAll<number>().as('batches'), fn.sum<number>('receipts').as('receipts')])
    .executeTakeFirstOrThrow()
  expect(receipts).toBe(101)
  // One per timer round, and at most one per flush.
  expect(batches).toBeLessThanOrEqual(2 + 3)
  await credit.stop()
})
