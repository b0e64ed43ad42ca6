import { expect, it } from 'vitest'
import type { BatchQueue } from '../ports/index.ts'
import { runBatches, type RunnerDeps } from './run-batches.ts'

type Plan = Parameters<BatchQueue['claimLines']>[0]

it('claims as many lines as the options allow for the site and for each batch', async () => {
  const claimed = Promise.withResolvers<Record<string, number>>()
  const open = [1, 2].map((userId) => ({ id: `batch_${userId}`, userId, running: 0, waiting: 100 }))
  const queue: Partial<BatchQueue> = {
    hasOpen: async () => true,
    advance: async () => {},
    claim: async () => undefined,
    claimDue: async () => undefined,
    async claimLines(plan: Plan) {
      claimed.resolve(Object.fromEntries(plan(open)))
      return []
    },
  }
  const settings = { 'batches.concurrency': 3, 'batches.batch_concurrency': 2, 'files.retention_days': 30 }

  const runner = runBatches({ queue, now: Date.now, settings: () => settings } as unknown as RunnerDeps)

  expect(await claimed.promise).toEqual({ batch_1: 2, batch_2: 1 })
  await runner.stop()
})
