import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { createHealth, type LeaseRequest, type AttemptResult } from './health.ts'
import { testClock } from '../../test/support/clock.ts'

const channel = aChannel({ id: 1, keys: ['a', 'b'] })
const order: LeaseRequest = { channel, model: 'gpt-4o', routed: 'gpt-4o', pinned: false, callerId: 1 }
const served: AttemptResult = { outcome: 'served', status: 200, milliseconds: 5 }
const refused: AttemptResult = { outcome: 'auth', status: 401, milliseconds: 5 }

describe('a trial', () => {
  it('takes out the one key that failed, and the channel only with its last', () => {
    const health = createHealth(testClock())

    health.acquireKey(order)!.report(refused)
    expect(health.coolingDown(channel, 'gpt-4o', 1)).toBe(0)
    expect([1, 2].map(() => health.acquireKey(order)!.key)).toEqual(['b', 'b'])
    health.acquireKey(order)!.report(refused)

    expect(health.coolingDown(channel, 'gpt-4o', 1)).toBe(60_000)
    expect(health.acquireKey(order)).toBeUndefined()
    expect(health.acquireKey({ ...order, pinned: true })?.key).toBe('a')
  })

  it('is given to one call when all keys are being tried out', () => {
    const clock = testClock()
    const health = createHealth(clock)
    const single = { ...order, channel: aChannel({ id: 1, keys: ['a'] }) }
    health.acquireKey(single)!.report(refused)
    clock.pass(60_000)

    const first = health.acquireKey(single)
    const second = health.acquireKey(single)
    first!.end()
    const third = health.acquireKey(single)

    expect([first?.key, second, third?.key]).toEqual(['a', undefined, 'a'])
  })

  it('that was served is where the conversation goes on', () => {
    const health = createHealth(testClock())

    health.acquireKey({ ...order, conversation: 'c' })!.report(served)
    const { keyId: preferredKeyId, ...place } = health.affinity.recall('c')!

    expect(place).toMatchObject({ channelId: 1, routed: 'gpt-4o' })
    expect([1, 2].map(() => health.acquireKey({ ...order, preferredKeyId })!.key)).toEqual(['a', 'a'])
  })

  it('that failed is not', () => {
    const health = createHealth(testClock())

    health.acquireKey({ ...order, conversation: 'c' })!.report(refused)

    expect(health.affinity.recall('c')).toBeUndefined()
  })

  it('is counted while it lasts, and its result kept', () => {
    const health = createHealth(testClock())
    const [one, two] = [health.acquireKey(order)!, health.acquireKey(order)!]

    one.report(served)
    one.end()
    one.end()
    expect(health.inFlight(1)).toBe(1)
    two.report({ ...served, outcome: 'server' })
    two.end()

    expect(health.inFlight(1)).toBe(0)
    expect(health.metrics.take()).toMatchObject([{ channelId: 1, succeeded: 1, failed: 1 }])
  })
})
