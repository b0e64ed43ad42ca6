import { describe, expect, it } from 'vitest'
import { createCircuitBreaker, type Failure } from './circuit-breaker.ts'
import { keyIdsOf } from './channel-keys.ts'
import { createChannelKeys } from './channel-keys.ts'
import { testClock } from '../../test/support/clock.ts'

function setUp() {
  const clock = testClock()
  const breaker = createCircuitBreaker(clock)
  const keys = createChannelKeys(breaker)
  /** As two callers see it. */
  const reject = (key: string, { model = 'm', ...failure }: Partial<Failure> & { model?: string } = {}) => {
    const circuit = { channelId: 1, keyId: keyIdsOf([key])[0]!, model }
    for (const caller of [1, 2])
      breaker.acquire(circuit, caller).recordFailure({ outcome: 'auth', status: 401, ...failure })
  }
  const pick = (texts: string[], model = 'm', preferred?: string) =>
    keys.pick({ id: 1, keys: texts }, model, 3, preferred && keyIdsOf([preferred])[0])?.key
  return { clock, breaker, keys, reject, pick }
}

describe('the keys of a channel', () => {
  it('are rotated, continue after a catalog reload with the same keys, and restart with other keys', () => {
    const { pick, keys } = setUp()

    expect(pick(['a', 'b', 'c'])).toBe('a')
    expect(pick(['a', 'b', 'c'])).toBe('b')
    expect(keys.pick({ id: 2, keys: ['a', 'b'] }, 'm', 3)?.key).toBe('a')
    expect(pick(['b', 'c'])).toBe('b')
  })

  it('keep their rotation when a request may use only one of them', () => {
    const { pick } = setUp()
    const texts = ['a', 'b', 'c']

    expect([pick(texts), pick(['c']), pick(texts), pick(['c']), pick(texts)]).toEqual(['a', 'c', 'b', 'c', 'c'])
  })

  it('are skipped while they cool down, and used again after that', () => {
    const { clock, reject, pick } = setUp()
    const texts = ['a', 'b', 'c']

    reject('b')
    const during = Array.from({ length: 4 }, () => pick(texts))
    clock.pass(60_000)
    const after = Array.from({ length: 3 }, () => pick(texts))

    expect(during).toEqual(['a', 'c', 'a', 'c'])
    expect(after).toEqual(['a', 'b', 'c'])
  })

  it('serve other models while they cool down for one', () => {
    const { reject, pick } = setUp()

    reject('a', { model: 'gpt-4o', outcome: 'rate', status: 429, retryAfterSeconds: 9 })

    expect([pick(['a', 'b'], 'gpt-4o'), pick(['a', 'b'], 'gpt-4')]).toEqual(['b', 'a'])
  })

  it('yield none when all cool down, unless the channel is pinned', () => {
    const { reject, keys, pick } = setUp()

    reject('a')
    reject('b')

    expect(pick(['a', 'b'])).toBeUndefined()
    expect(keys.pickAnyway({ id: 1, keys: ['a', 'b'] })?.key).toBe('a')
    expect(pick([])).toBeUndefined()
  })

  it('yield the preferred one while it is usable, without advancing the rotation', () => {
    const { reject, pick } = setUp()

    expect([pick(['a', 'b'], 'm', 'b'), pick(['a', 'b'], 'm', 'b'), pick(['a', 'b'])]).toEqual(['b', 'b', 'a'])
    reject('b')

    expect([pick(['a', 'b'], 'm', 'b'), pick(['a', 'c'], 'm', 'isClosed')]).toEqual(['a', 'a'])
  })
})

describe('keyIdsOf', () => {
  it('identifies keys without revealing them', () => {
    const [one, two] = keyIdsOf(['sk-one', 'sk-two'])

    expect(one).not.toBe(two)
    expect(keyIdsOf(['sk-one'])).toEqual([one])
    expect(one).not.toContain('sk')
  })
})
