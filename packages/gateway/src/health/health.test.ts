import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { createHealth, type LeaseRequest, type AttemptResult } from './health.ts'
import type { StateChange, StateExchange } from '../ports/index.ts'
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

describe('two gateways of a machine', () => {
  /** Delivers copies, like IPC. */
  function setUpTwo() {
    const clock = testClock()
    const ends = [0, 1].map(() => new Map<string, (id: string, value: never) => void>())
    const published: StateChange[] = []
    const exchangeOf = (own: number): StateExchange => ({
      publish(change) {
        published.push(change)
        ends[1 - own]!.get(change.topic)?.(change.id, JSON.parse(JSON.stringify(change.value ?? null)) as never)
      },
      subscribe: (topic, apply) => void ends[own]!.set(topic, apply),
    })
    const [one, other] = [0, 1].map((at) => createHealth({ now: clock.now, exchange: exchangeOf(at) }))
    return { clock, one: one!, other: other!, published }
  }
  const single = { ...request, channel: aChannel({ id: 1, keys: ['a'] }) }
  const wait = (health: ReturnType<typeof createHealth>) => health.coolingDown(single.channel, 'gpt-4o', 1)

  it('share an open circuit, and close it when one probe succeeds', () => {
    const { clock, one, other, published } = setUpTwo()

    one.acquireKey(single)!.report(rejected)
    expect([wait(one), wait(other)]).toEqual([60_000, 60_000])
    clock.pass(60_000)
    expect(other.circuitOf(single.channel, 'gpt-4o').state).toBe('half_open')
    other.acquireKey(single)!.report(served)

    expect([one, other].map((health) => health.circuitOf(single.channel, 'gpt-4o').state)).toEqual(['closed', 'closed'])
    expect(published).toHaveLength(2)
  })

  it('double the cooldown once when both probes fail', () => {
    const { clock, one, other } = setUpTwo()
    one.acquireKey(single)!.report(rejected)
    clock.pass(60_000)
    const probes = [one.acquireKey(single)!, other.acquireKey(single)!]

    for (const probe of probes) probe.report(rejected)

    expect([wait(one), wait(other)]).toEqual([120_000, 120_000])
  })

  it('share the cooldown of a caller', () => {
    const { one, other } = setUpTwo()

    one.acquireKey(single)!.report({ ...rejected, outcome: 'rate', status: 429, retryAfterSeconds: 30 })

    expect([wait(one), wait(other)]).toEqual([30_000, 30_000])
    expect(other.coolingDown(single.channel, 'gpt-4o', 2)).toBe(0)
  })

  it('share conversations that moved, and where responses are stored', () => {
    const { one, other } = setUpTwo()
    const moved = { channelId: 2, keyId: 'k', routed: 'gpt-4o' }

    one.affinity.remember('c', moved)
    one.affinity.setStored('resp_1', { ...moved, userId: 7 })
    expect(other.affinity.recall('c')).toMatchObject(moved)
    expect(other.affinity.findStored('resp_1')).toMatchObject({ userId: 7 })
    other.affinity.clear('c')

    expect(one.affinity.recall('c')).toBeUndefined()
  })

  it('publish a conversation once while it stays', () => {
    const { one, published } = setUpTwo()

    for (let turn = 0; turn < 50; turn += 1) {
      one.affinity.remember('c', { channelId: 2, keyId: 'k', routed: 'gpt-4o' })
    }

    expect(published).toHaveLength(1)
  })
})
