import { describe, expect, it } from 'vitest'
import { affinityKey, createSessionAffinity } from './session-affinity.ts'
import { testClock } from '../../test/support/clock.ts'

const entry = (channelId: number) => ({ channelId, keyId: 'k', routed: 'gpt-4o' })

describe('createSessionAffinity', () => {
  it('remembers the channel of a conversation until it has been idle for an hour', () => {
    const clock = testClock()
    const affinity = createSessionAffinity(clock)

    affinity.remember('c', entry(1))
    clock.pass(50 * 60_000)
    affinity.remember('c', entry(2))
    clock.pass(50 * 60_000)
    expect(affinity.recall('c')).toMatchObject(entry(2))
    clock.pass(10 * 60_000)

    expect(affinity.recall('c')).toBeUndefined()
  })

  it('marks the channel on which a turn failed, unless the conversation has moved', () => {
    const affinity = createSessionAffinity(testClock())

    affinity.remember('c', entry(1))
    affinity.forget('c', 1)
    expect(affinity.recall('c')).toMatchObject({ ...entry(1), failed: true })
    affinity.remember('c', entry(2))
    affinity.forget('c', 1)
    affinity.forget('never heard of', 1)

    expect(affinity.recall('c')?.failed).toBeUndefined()
    expect(affinity.recall('never heard of')).toBeUndefined()
  })

  it('holds at most fifty thousand conversations', () => {
    const affinity = createSessionAffinity(testClock())

    for (let count = 0; count <= 50_000; count += 1) affinity.remember(`c${count}`, entry(count))

    expect([affinity.recall('c0'), affinity.recall('c50000')?.channelId]).toEqual([undefined, 50_000])
  })

  it('remembers where a response is stored without a time limit, and at most a hundred thousand', () => {
    const clock = testClock()
    const affinity = createSessionAffinity(clock)

    for (let count = 0; count <= 100_000; count += 1) {
      affinity.setStored(`resp_${count}`, { ...entry(count), userId: 7 })
    }
    clock.pass(30 * 24 * 60 * 60_000)

    expect(affinity.findStored('resp_0')).toBeUndefined()
    expect(affinity.findStored('resp_1')).toEqual({ ...entry(1), userId: 7 })
    expect(affinity.recall('resp_1')).toBeUndefined()
  })
})

describe('conversationId', () => {
  it('depends on user, group and model, and is short for any text', () => {
    const base = { userId: 1, group: 'default', model: 'gpt-4o' }
    const ids = [
      affinityKey('a', base),
      affinityKey('b', base),
      affinityKey('a', { ...base, userId: 2 }),
      affinityKey('a', { ...base, group: 'vip' }),
      affinityKey('a', { ...base, model: 'gpt-4' }),
      affinityKey('a'.repeat(1e6), base),
    ]

    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every(({ length }) => length === ids[0]!.length)).toBe(true)
    expect(affinityKey('a', base)).toBe(ids[0])
  })
})
