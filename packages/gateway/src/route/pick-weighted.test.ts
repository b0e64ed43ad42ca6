import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import type { CatalogChannel } from '../ports/index.ts'
import { plainTier, tiersByPriority } from './candidates.ts'
import { pickWeighted } from './channel-order.ts'

const DRAWS = 10_000
const channelsWithWeights = (...weights: number[]) => weights.map((weight, id) => aChannel({ id, weight }))

/** Pseudo-random numbers, the same in every run. */
function createRandom(seed = 42) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The share of each channel in ten thousand picks. */
function shares(channels: readonly CatalogChannel[], open = (_channel: CatalogChannel) => true): number[] {
  const [tier] = tiersByPriority(channels)
  const random = createRandom()
  const counts = channels.map(() => 0)
  for (let draw = 0; draw < DRAWS; draw += 1) {
    counts[pickWeighted(tier!, random, (channel) => (open(channel) ? channel.id : undefined))!]! += 1
  }
  return counts.map((count) => count / DRAWS)
}

function expectWithin2Percent(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length)
  for (const [at, share] of actual.entries()) expect(Math.abs(share - expected[at]!)).toBeLessThan(0.02)
}

describe('ten thousand picks', () => {
  it('match the weights within two per cent', () => {
    expectWithin2Percent(shares(channelsWithWeights(0, 10, 30, 50)), [10 / 130, 20 / 130, 40 / 130, 60 / 130])
  })

  it('match when some channels are unusable', () => {
    const open = ({ id }: CatalogChannel) => id !== 1 && id !== 3

    expectWithin2Percent(shares(channelsWithWeights(0, 10, 30, 50), open), [10 / 50, 0, 40 / 50, 0])
  })

  it('match when nearly all are unusable, and every channel has to be checked', () => {
    const many = channelsWithWeights(...Array.from({ length: 200 }, (_, at) => (at === 7 ? 20 : 0)))

    const drawn = shares(many, ({ id }) => id === 7 || id === 100)

    expectWithin2Percent([drawn[7]!, drawn[100]!], [30 / 40, 10 / 40])
  })

  it('match with hundreds of channels', () => {
    const many = channelsWithWeights(...Array.from({ length: 500 }, () => 5), 7_485)

    expect(Math.abs(shares(many)[500]! - 0.5)).toBeLessThan(0.02)
  })
})

describe('pickWeighted', () => {
  it('picks a usable channel whenever there is one, and no other', () => {
    const cases = fc.record({
      weights: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 30 }),
      open: fc.array(fc.nat({ max: 29 }), { maxLength: 5 }),
      seed: fc.integer(),
      plain: fc.boolean(),
    })
    fc.assert(
      fc.property(cases, ({ weights, open, seed, plain }) => {
        const channels = channelsWithWeights(...weights)
        const tier = plain ? plainTier(channels) : tiersByPriority(channels)[0]!
        const opens = new Set(open.filter((id) => id < channels.length))

        const drawn = pickWeighted(tier, createRandom(seed), ({ id }) => (opens.has(id) ? { id } : undefined))

        if (opens.size === 0) expect(drawn).toBeUndefined()
        else expect(opens).toContain(drawn!.id)
      }),
    )
  })

  it('picks a channel without weight only when no other is usable', () => {
    const tier = plainTier(channelsWithWeights(0, 5, 0))
    const draw = (random: number, ...closed: number[]) =>
      pickWeighted(
        tier,
        () => random,
        ({ id }) => (closed.includes(id) ? undefined : { id }),
      )?.id

    expect([draw(0), draw(0.999), draw(0, 1), draw(0.999, 1), draw(0.5, 0, 1, 2)]).toEqual([1, 1, 0, 2, undefined])
  })

  it('checks few channels when the first one is usable', () => {
    const [tier] = tiersByPriority(channelsWithWeights(...Array.from({ length: 2_000 }, () => 1)))
    let visited = 0

    pickWeighted(tier!, createRandom(), (channel) => {
      visited += 1
      return channel
    })

    expect(visited).toBe(1)
  })
})
