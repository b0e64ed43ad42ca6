import { expect, it } from 'vitest'
import type { LeaseRequest } from './lease-rows.ts'
import { batchTakes } from './batch-takes.ts'

/** Queries that the test resolves, on accounts with a fixed balance. */
function openQueries(balances: Record<number, number | 'locked'>) {
  const together: LeaseRequest[][] = []
  const alone: LeaseRequest[] = []
  const held: (() => void)[] = []
  const take = batchTakes({
    async takeOne(request) {
      alone.push(request)
      const balance = balances[request.userId]
      if (balance === 'locked') await new Promise<void>((resolve) => held.push(resolve))
      return typeof balance === 'number' && balance >= request.need ? request.need : 0
    },
    async takeMany(requests) {
      together.push([...requests])
      await new Promise<void>((resolve) => held.push(resolve))
      return requests.map(({ userId, need }) => {
        const balance = balances[userId]
        return typeof balance === 'number' && balance >= need ? need : undefined
      })
    },
  })
  const request = (userId: number, need = 1) => take({ userId, tokenId: 0 }, { need, want: need })
  const arrive = async (batch: number) => {
    await expect.poll(() => together.length).toBe(batch)
    for (const resolve of held.splice(0)) resolve()
  }
  return { request, arrive, together, alone, held }
}

it('batches requests of one event loop turn, and then those that arrived meanwhile', async () => {
  const { request, arrive, together, alone } = openQueries({ 1: 10, 2: 10, 3: 10, 4: 10 })
  const first = [request(1), request(2)]
  await expect.poll(() => together.length).toBe(1)
  const second = [request(3), request(4)]
  await arrive(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await arrive(2)

  expect(await Promise.all(second)).toEqual([1, 1])
  expect(together.map((requests) => requests.map(({ userId }) => userId))).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(alone).toEqual([])
})

it('lets a locked account delay only its own requests', async () => {
  const { request, arrive, alone, held } = openQueries({ 1: 'locked', 2: 10 })
  const stuck = request(1)
  const quick = request(2)
  await arrive(1)
  expect(await quick).toBe(1)
  expect(alone.map(({ userId }) => userId)).toEqual([1])

  const later = request(2)
  await expect.poll(() => held.length).toBe(2) // the locked one, and the next query
  for (const resolve of held.splice(0)) resolve()

  expect(await later).toBe(1)
  expect(await stuck).toBe(0)
})

it('retries alone before it reports insufficient credit', async () => {
  const { request, arrive, alone } = openQueries({ 1: 5 })
  const poor = request(1, 6)
  await arrive(1)

  expect(await poor).toBe(0)
  expect(alone).toHaveLength(1)
})

it('reports a failed query to all its requests, and continues', async () => {
  let fails = true
  const take = batchTakes({
    takeOne: async () => 0,
    takeMany: async (requests) => {
      if (fails) throw new Error('the line was cut')
      return requests.map(({ need }) => need)
    },
  })
  const lost = await Promise.allSettled([1, 2].map((userId) => take({ userId, tokenId: 0 }, { need: 1, want: 1 })))
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])

  fails = false
  expect(await take({ userId: 1, tokenId: 0 }, { need: 3, want: 3 })).toBe(3)
})
