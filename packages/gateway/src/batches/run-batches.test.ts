import { expect, it } from 'vitest'
import type { BatchQueue, ClaimedLine } from '../ports/index.ts'
import { runBatches, type RunnerDeps } from './run-batches.ts'

type Plan = Parameters<BatchQueue['claimLines']>[0]

const settings = { 'batches.concurrency': 3, 'batches.batch_concurrency': 2, 'files.retention_days': 30 }
const idle: Partial<BatchQueue> = {
  hasOpen: async () => true,
  advance: async () => {},
  claim: async () => undefined,
  claimDue: async () => undefined,
}
const run = (deps: { queue: Partial<BatchQueue>; serveLine?: RunnerDeps['serveLine'] }) =>
  runBatches({ now: Date.now, settings: () => settings, ...deps } as unknown as RunnerDeps)

it('claims as many lines as the options allow for the site and for each batch', async () => {
  const claimed = Promise.withResolvers<Record<string, number>>()
  const open = [1, 2].map((userId) => ({ id: `batch_${userId}`, userId, running: 0, waiting: 100 }))
  const queue = {
    ...idle,
    async claimLines(plan: Plan) {
      claimed.resolve(Object.fromEntries(plan(open)))
      return []
    },
  }
  const runner = run({ queue })

  expect(await claimed.promise).toEqual({ batch_1: 2, batch_2: 1 })
  await runner.stop()
})

it('ends a batch when no line could have returned credit during an attempt that the balance did not cover', async () => {
  const line = { batchId: 'batch_1', number: 3, userId: 7, attempts: 1 } as ClaimedLine
  const uncovered = {
    status: 402,
    headers: { 'x-tidegate-error': 'insufficient_user_quota' },
    text: '',
    isInterrupted: false,
  }
  const failed = Promise.withResolvers<void>()
  let attempts = 0
  /** Before and after each attempt but the first: another line runs, then finishes, then there is none. */
  const activity = [
    { running: 1, finished: 0 },
    { running: 1, finished: 0 },
    { running: 1, finished: 0 },
    { running: 0, finished: 1 },
    { running: 0, finished: 1 },
    { running: 0, finished: 1 },
  ]
  const runner = run({
    queue: {
      ...idle,
      claimLines: async () => (activity.length > 0 ? [line] : []),
      readActivity: async () => activity.shift()!,
      retryLine: async () => {},
      failPending: async () => failed.resolve(),
    },
    async serveLine() {
      attempts += 1
      return uncovered
    },
  })

  await failed.promise
  await runner.stop()

  expect(attempts).toBe(4)
  expect(activity).toEqual([])
})
