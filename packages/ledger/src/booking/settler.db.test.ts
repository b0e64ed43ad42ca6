import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseHandle } from '@tidegate/storage'
import { removeDirectory, workerDatabase, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCredit } from '../credit.ts'
import { aUser, outcome, quiet } from '../test-books.ts'

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

it('books calls that come one after the other together, and all of them for whoever asks', async () => {
  const { db } = handle
  const userId = await aUser(db, 1_000_000)
  const credit = await openCredit({ db, holder: 'one', journals, keepLog: () => true, log: quiet })
  const call = async (number: number) => {
    const order = { requestId: `call-${number}`, userId, tokenId: 0, tokenUnlimited: true, amount: 10 }
    await (await credit.reserve(order)).settle(outcome(10))
  }

  const begun = performance.now()
  for (let number = 0; number < 100; number += 1) {
    await call(number)
    await wait(3) // as a client that calls again when it has its answer
  }
  await Promise.all([credit.flush(), call(100).then(() => credit.flush()), credit.flush()])

  expect(credit.waiting().bookings).toBe(0)
  const { batches, receipts } = await db
    .selectFrom('settlement_batch')
    .select(({ fn }) => [fn.countAll<number>().as('batches'), fn.sum<number>('receipts').as('receipts')])
    .executeTakeFirstOrThrow()
  expect(receipts).toBe(101)
  // One for each of its turns, and one for each flush; a busy machine has more of them.
  expect(batches).toBeLessThanOrEqual((performance.now() - begun) / 200 + 4)
  await credit.stop()
})
