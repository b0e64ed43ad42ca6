import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { createHealth, type LeaseRequest, type AttemptResult } from './health.ts'
import { testClock } from '../../test/support/clock.ts'

const channel = aChannel({ id: 1, keys: ['a', 'b'] })
const request: LeaseRequest = { channel, model: 'gpt-4o', routed: 'gpt-4o', pinned: false, callerId: 1 }
const served: AttemptResult = { outcome: 'served', status: 200, milliseconds: 5 }
const rejected: AttemptResult = { outcome: 'auth', status: 401, milliseconds: 5 }

describe('an attempt lease', () => {
  it('stops using the key that failed, and the channel only when its last key failed', () => {
    const health = createHealth(testClock())

    health.acquireKey(request)!.report(rejected)
    expect(health.coolingDown(channel, 'gpt-4o', 1)).toBe(0)
    expect([1, 2].map(() => health.acquireKey(request)!.key)).toEqual(['b', 'b'])
    health.acquireKey(request)!.report(rejected)

    expect(health.coolingDown(channel, 'gpt-4o', 1)).toBe(60_000)
    expect(health.acquireKey(request)).toBeUndefined()
    expect(health.acquireKey({ ...request, pinned: true })?.key).toBe('a')
  })

  it('is given to one request when all keys are half-open', () => {
    const clock = testClock()
    const health = createHealth(clock)
    const single = { ...request, channel: aChannel({ id: 1, keys: ['a'] }) }
    health.acquireKey(single)!.report(rejected)
    clock.pass(60_000)

    const first = health.acquireKey(single)
    const second = health.acquireKey(single)
    first!.end()
    const third = health.acquireKey(single)

    expect([first?.key, second, third?.key]).toEqual(['a', undefined, 'a'])
  })

  it('ties the conversation to its channel when the attempt succeeds', () => {
    const health = createHealth(testClock())

    health.acquireKey({ ...request, conversation: 'c' })!.report(served)
    const { keyId: preferredKeyId, ...entry } = health.affinity.recall('c')!

    expect(entry).toMatchObject({ channelId: 1, routed: 'gpt-4o' })
    expect([1, 2].map(() => health.acquireKey({ ...request, preferredKeyId })!.key)).toEqual(['a', 'a'])
  })

  it('does not tie the conversation to its channel when the attempt fails', () => {
    const health = createHealth(testClock())

    health.acquireKey({ ...request, conversation: 'c' })!.report(rejected)

    expect(health.affinity.recall('c')).toBeUndefined()
  })

  it('is counted while it is open, and its result is recorded', () => {
    const health = createHealth(testClock())
    const [one, two] = [health.acquireKey(request)!, health.acquireKey(request)!]

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
