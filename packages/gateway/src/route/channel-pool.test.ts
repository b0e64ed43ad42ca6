import { describe, expect, it } from 'vitest'
import { aCatalog, aChannel } from '../../test/support/catalog.ts'
import { plainTier, poolFor, tiersByPriority } from './candidates.ts'

describe('poolFor', () => {
  const catalog = aCatalog([
    aChannel({ id: 1, priority: 1, maxInputTokens: 500 }),
    aChannel({ id: 2, priority: 9, modelPrefix: 'a/', maxInputTokens: 100 }),
    aChannel({ id: 3, priority: 9, enabled: false }),
    aChannel({ id: 4, priority: 9, groups: ['vip'] }),
  ])
  const idsOf = (prefix: string, routed = 'gpt-4o') =>
    poolFor(catalog, { group: 'default', prefix, routed })?.tiers.map(({ channels }) => channels.map(({ id }) => id))

  it('holds the enabled channels of the group that serve the model, by priority', () => {
    expect(idsOf('')).toEqual([[2], [1]])
    expect(idsOf('', 'unheard-of')).toBeUndefined()
  })

  it('keeps to the channels that carry the prefix', () => {
    expect(idsOf('a/')).toEqual([[2]])
  })

  it('knows who is in it and the smallest limit on a prompt', () => {
    const pool = poolFor(catalog, { group: 'default', prefix: '', routed: 'gpt-4o' })!
    const vip = poolFor(catalog, { group: 'vip', prefix: '', routed: 'gpt-4o' })!

    expect([pool.has(1), pool.has(3), pool.size]).toEqual([true, false, 2])
    expect([pool.smallestInputLimit, vip.smallestInputLimit]).toEqual([100, Infinity])
  })

  it('is worked out once per snapshot', () => {
    const name = { group: 'default', prefix: '', routed: 'gpt-4o' }

    expect(poolFor(catalog, name)).toBe(poolFor(catalog, name))
  })

  it('tells each name a provider may be asked for once', () => {
    const mapped = aCatalog([
      aChannel({ id: 1 }),
      aChannel({ id: 2 }),
      aChannel({ id: 3, modelMapping: new Map([['gpt-4o', 'x']]) }),
      aChannel({ id: 4, modelMapping: new Map([['p/gpt-4o', 'y']]) }),
    ])
    const pool = poolFor(mapped, { group: 'default', prefix: '', routed: 'gpt-4o' })!

    expect(pool.upstreamNames('gpt-4o', 'gpt-4o')).toEqual(['gpt-4o', 'x'])
    expect(pool.upstreamNames('p/gpt-4o', 'gpt-4o')).toEqual(['gpt-4o', 'x', 'y'])
  })
})

describe('weights', () => {
  const channels = [0, 20].map((weight, at) => aChannel({ id: at, weight }))

  it('get ten more in a tier of priority, so that none is left out', () => {
    expect([...tiersByPriority(channels)[0]!.weightUpTo]).toEqual([10, 40])
  })

  it('are taken as they are within a prefix, or alike when there are none', () => {
    expect([...plainTier(channels).weightUpTo]).toEqual([0, 20])
    expect([...plainTier([aChannel(), aChannel()]).weightUpTo]).toEqual([1, 2])
  })
})
