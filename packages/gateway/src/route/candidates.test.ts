import { describe, expect, it } from 'vitest'
import { aCatalog, aChannel } from '../../test/support/catalog.ts'
import { plainTier, candidatePoolFor, tiersByPriority } from './candidates.ts'

describe('poolFor', () => {
  const catalog = aCatalog([
    aChannel({ id: 1, priority: 1, maxInputTokens: 500 }),
    aChannel({ id: 2, priority: 9, modelPrefix: 'a/', maxInputTokens: 100 }),
    aChannel({ id: 3, priority: 9, enabled: false }),
    aChannel({ id: 4, priority: 9, groups: ['vip'] }),
  ])
  const idsOf = (prefix: string, routed = 'gpt-4o') =>
    candidatePoolFor(catalog, { group: 'default', prefix, routed })?.tiers.map(({ channels }) =>
      channels.map(({ id }) => id),
    )

  it('has the enabled channels of the group that serve the model, by priority', () => {
    expect(idsOf('')).toEqual([[2], [1]])
    expect(idsOf('', 'unheard-of')).toBeUndefined()
  })

  it('has only the channels with the prefix', () => {
    expect(idsOf('a/')).toEqual([[2]])
  })

  it('knows its channels and the smallest input limit', () => {
    const pool = candidatePoolFor(catalog, { group: 'default', prefix: '', routed: 'gpt-4o' })!
    const vip = candidatePoolFor(catalog, { group: 'vip', prefix: '', routed: 'gpt-4o' })!

    expect([pool.has(1), pool.has(3), pool.size]).toEqual([true, false, 2])
    expect([pool.smallestInputLimit, vip.smallestInputLimit]).toEqual([100, Infinity])
  })

  it('is computed once per catalog', () => {
    const name = { group: 'default', prefix: '', routed: 'gpt-4o' }

    expect(candidatePoolFor(catalog, name)).toBe(candidatePoolFor(catalog, name))
  })

  it('lists each model name of a provider once', () => {
    const mapped = aCatalog([
      aChannel({ id: 1 }),
      aChannel({ id: 2 }),
      aChannel({ id: 3, modelMapping: new Map([['gpt-4o', 'x']]) }),
      aChannel({ id: 4, modelMapping: new Map([['p/gpt-4o', 'y']]) }),
    ])
    const pool = candidatePoolFor(mapped, { group: 'default', prefix: '', routed: 'gpt-4o' })!

    expect(pool.upstreamNames('gpt-4o', 'gpt-4o')).toEqual(['gpt-4o', 'x'])
    expect(pool.upstreamNames('p/gpt-4o', 'gpt-4o')).toEqual(['gpt-4o', 'x', 'y'])
  })
})

describe('weights', () => {
  const channels = [0, 20].map((weight, at) => aChannel({ id: at, weight }))

  it('are increased by ten in a priority tier, so that no channel is left out', () => {
    expect([...tiersByPriority(channels)[0]!.weightUpTo]).toEqual([10, 40])
  })

  it('are used as they are within a prefix, and are equal when all are zero', () => {
    expect([...plainTier(channels).weightUpTo]).toEqual([0, 20])
    expect([...plainTier([aChannel(), aChannel()]).weightUpTo]).toEqual([1, 2])
  })
})
