import type { UsageReport } from '@tidegate/contract'
import type { CanonicalEvent } from '@tidegate/dialects'
import { NO_USAGE } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { createMeter } from './usage-meter.ts'

const TEXTS = 'The tide comes in and the gate lets it through.'.match(/\S+?\b|\.|\s\S+?\b/g)!
const textEvents = TEXTS.map((text): CanonicalEvent => ({ type: 'text-delta', block: 0, text }))
const FINISH: CanonicalEvent = { type: 'finish', reason: 'stop' }
const reports = (usage: Partial<UsageReport>): CanonicalEvent => ({ type: 'usage', usage: { ...NO_USAGE, ...usage } })

function meterOf(...events: CanonicalEvent[]) {
  const prompt = () => ({ texts: ['When does the tide turn?'], otherTokens: 0 })
  const meter = createMeter({ model: 'gpt-4o', prompt, promptTokens: 6 })
  for (const event of events) meter.add(event)
  return meter
}

describe('the usage of a response', () => {
  it("is the provider's count, once the model has finished", async () => {
    const meter = meterOf(reports({ input: 100 }), ...textEvents, FINISH, reports({ input: 100, output: 4 }))

    expect(await meter.total()).toMatchObject({ input: 100, output: 4, estimated: false })
  })

  it('is counted here when the provider reports nothing', async () => {
    expect(await meterOf(...textEvents, FINISH).total()).toMatchObject({ input: 6, output: 11, estimated: true })
  })

  it.each([2 ** 53, 1e300, -5, 0.5])('is counted here when the provider reports %d', async (output) => {
    const meter = meterOf(...textEvents, FINISH, reports({ input: 100, output }))

    expect(await meter.total()).toMatchObject({ input: 6, output: 11, estimated: true })
  })

  it.each([0, 1])('is the received text when a response breaks and reported only %i tokens', async (output) => {
    const meter = meterOf(reports({ input: 100, cacheRead: 7, output }), ...textEvents)

    expect(await meter.total()).toMatchObject({ input: 100, cacheRead: 7, output: 11, estimated: true })
    expect(meter.atLeast()).toMatchObject({ input: 100, output: 11 })
  })

  it("is the provider's count when a response breaks and that is more than the received text", async () => {
    const meter = meterOf(...textEvents, reports({ input: 100, output: 20, reasoning: 30 }))

    expect(await meter.total()).toMatchObject({ input: 100, output: 20, reasoning: 30, estimated: false })
  })

  it('is the same in a thousand chunks and in one', async () => {
    const pieces = Array.from({ length: 100 }, () => textEvents).flat()
    const text = TEXTS.join('').repeat(100)

    const inPieces = meterOf(...pieces, FINISH)
    const inOne = meterOf({ type: 'text-delta', block: 0, text }, FINISH)

    expect(await inPieces.total()).toEqual(await inOne.total())
    expect(await inPieces.countOutput()).toBe(await inOne.countOutput())
  })
})
