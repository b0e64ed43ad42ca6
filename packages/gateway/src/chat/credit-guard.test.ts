import { expect, it } from 'vitest'
import { computeReceipt, NO_USAGE, priceByRatios, type Usage } from '@tidegate/pricing'
import type { Settlement } from '../ports/index.ts'
import { createCreditGuard } from './credit-guard.ts'

const price = priceByRatios(
  {
    priceName: 'm',
    group: 'default',
    groupRatio: 1,
    quotaPerUnit: 500_000,
  },
  {
    modelRatio: 1,
    completionRatio: 4,
    cacheRatio: 1,
    cacheWriteRatio: 1.25,
    cacheWrite1hRatio: 2,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)

interface StreamOptions {
  held: number
  more: number
  modelRatio?: number
  /** The estimate of one token. */
  estimate?: number
}

/** A stream of one token per event, with `held` credit reserved and `more` available. */
function aStream({ held, more, modelRatio = 1, estimate = 1 }: StreamOptions) {
  let clock = 0
  let output = 0
  const extensions: number[] = []
  const checkpoints: Settlement[] = []
  const reservation = {
    amount: held,
    async extend(total: number) {
      extensions.push(total)
      if (total > held + more) return 'insufficient_user_quota' as const
      this.amount = Math.max(this.amount, total)
      return undefined
    },
    checkpoint: (settlement: Settlement) => void checkpoints.push(settlement),
  }
  const usage = (): Usage => ({ ...NO_USAGE, input: 10, output, estimated: true })
  const meter = {
    atLeast: usage,
    atMost: usage,
    get outputEstimate() {
      return output * estimate
    },
    countOutput: async () => output,
  }
  const settlementFor = (used: Usage) =>
    ({ usage: used, receipt: computeReceipt({ ...price, quotaPerRate: modelRatio * 1_000_000 }, used) }) as Settlement
  const guard = createCreditGuard({
    reservation,
    meter,
    outputBound: Infinity,
    costFor: (used) => settlementFor(used).receipt.quota,
    settlementFor,
    now: () => clock,
  })
  return {
    reservation,
    extensions,
    checkpoints,
    wait: (milliseconds: number) => void (clock += milliseconds),
    cost: () => settlementFor(usage()).receipt.quota,
    async next() {
      output++
      return (await guard()) === undefined
    },
  }
}

it('lets a stream run on its reservation without extending it', async () => {
  const stream = aStream({ held: 10 + 4 * 100, more: 0 })

  for (let event = 0; event < 100; event++) expect(await stream.next()).toBe(true)

  expect(stream.extensions).toEqual([])
})

it('counts before it extends, so that a high estimate takes no credit from others', async () => {
  const stream = aStream({ held: 10 + 4 * 100, more: 1000, estimate: 3 })

  for (let event = 0; event < 100; event++) expect(await stream.next()).toBe(true)

  expect(stream.extensions).toEqual([])
})

it('extends a few times for a long stream, each time before the cost exceeds the reservation', async () => {
  const stream = aStream({ held: 50, more: 1_000_000 })

  for (let event = 0; event < 10_000; event++) {
    expect(await stream.next()).toBe(true)
    expect(stream.reservation.amount).toBeGreaterThanOrEqual(stream.cost())
  }

  expect(stream.extensions.length).toBeLessThan(20)
})

it('ends a stream that cannot be covered, before anything uncovered is sent', async () => {
  const stream = aStream({ held: 50, more: 150 })

  let events = 0
  while (await stream.next()) events++

  expect(events).toBeGreaterThan(0)
  expect(10 + 4 * events).toBeLessThanOrEqual(200)
})

it('never ends a free stream', async () => {
  const stream = aStream({ held: 0, more: 0, modelRatio: 0 })

  for (let event = 0; event < 1000; event++) expect(await stream.next()).toBe(true)
})

it('writes a checkpoint of the cost every few seconds', async () => {
  const stream = aStream({ held: 100_000, more: 0 })

  for (let event = 0; event < 5 * 50; event++) {
    stream.wait(20)
    await stream.next()
  }

  expect(stream.checkpoints.map(({ receipt }) => receipt.quota)).toEqual([10 + 4 * 100, 10 + 4 * 200])
})

it('writes checkpoints of a slow stream less often after the first one', async () => {
  const stream = aStream({ held: 1000, more: 0 })

  for (let event = 0; event < 25; event++) {
    stream.wait(1_000)
    await stream.next()
  }

  expect(stream.checkpoints.map(({ receipt }) => receipt.quota)).toEqual([2, 12, 22].map((output) => 10 + 4 * output))
})
