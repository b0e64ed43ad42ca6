import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import type { CatalogChannel } from '../ports/index.ts'
import { plainTier, tiersByPriority, type Tier } from './candidates.ts'
import { createChannelOrder } from './channel-order.ts'

const first = { random: () => 0, forceSwitch: false }

/** All channels in the order in which they are returned. */
function idsOf(tiers: readonly Tier[], order = first, closed: readonly number[] = []): number[] {
  const draws = createChannelOrder({ tiers }, order)
  const next = () => draws.next((channel: CatalogChannel) => (closed.includes(channel.id) ? undefined : channel))
  const ids: number[] = []
  for (let channel = next(); channel; channel = next()) ids.push(channel.id)
  return ids
}

describe('channels of several priorities', () => {
  const tiers = tiersByPriority([
    aChannel({ id: 1, priority: 9 }),
    aChannel({ id: 2, priority: 9 }),
    aChannel({ id: 3, priority: 5 }),
    aChannel({ id: 4, priority: 0 }),
    aChannel({ id: 5, priority: 0 }),
  ])

  it('come one tier lower with every attempt, and from the top again when the tiers are exhausted', () => {
    expect(idsOf(tiers)).toEqual([1, 3, 4, 5, 2])
    expect(idsOf(tiers, { ...first, forceSwitch: true })).toEqual([1, 4, 5, 3, 2])
  })

  it('come from the next tier when no channel of a tier is usable', () => {
    expect(idsOf(tiers, first, [1, 2])).toEqual([3, 4, 5])
    expect(idsOf(tiers, first, [3, 4, 5])).toEqual([1, 2])
  })

  it('are not repeated when they were chosen by other means, which counts as an attempt', () => {
    const order = createChannelOrder({ tiers }, first)

    order.markTried(tiers[0]!.channels[0]!)

    expect(order.next(({ id }) => id)).toBe(3)
  })
})

it('gives every channel of a tier a chance of its weight plus ten', () => {
  const tiers = tiersByPriority([aChannel({ id: 1, weight: 0 }), aChannel({ id: 2, weight: 20 })])
  const firstAt = (point: number) => idsOf(tiers, { random: () => point, forceSwitch: false })[0]

  expect([0, 0.24, 0.26, 0.999].map(firstAt)).toEqual([1, 1, 2, 2])
})

it('orders channels of one prefix by plain weights, with equal chances when all are zero', () => {
  const weighted = plainTier([aChannel({ id: 1, weight: 0 }), aChannel({ id: 2, weight: 5 })])
  const equal = plainTier([aChannel({ id: 1 }), aChannel({ id: 2 })])

  expect(idsOf([weighted])).toEqual([2, 1])
  expect(idsOf([equal], { ...first, random: () => 0.6 })).toEqual([2, 1])
})
