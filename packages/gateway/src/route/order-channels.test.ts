import { describe, expect, it } from 'vitest'
import { aChannel } from '../test-catalog.ts'
import { orderByWeight, orderChannels } from './order-channels.ts'

const first = { random: () => 0, forceSwitch: false }
const ids = (channels: readonly { id: number }[]) => channels.map(({ id }) => id)

describe('orderChannels', () => {
  it('looks one tier lower with every try, and comes back when the tiers are used up', () => {
    const channels = [
      aChannel({ id: 1, priority: 9 }),
      aChannel({ id: 2, priority: 9 }),
      aChannel({ id: 3, priority: 5 }),
      aChannel({ id: 4, priority: 0 }),
      aChannel({ id: 5, priority: 0 }),
    ]

    expect(ids(orderChannels(channels, first))).toEqual([1, 3, 4, 5, 2])
    expect(ids(orderChannels(channels, { ...first, forceSwitch: true }))).toEqual([1, 4, 5, 3, 2])
  })

  it('gives every channel of a tier a chance of its weight and ten', () => {
    const channels = [aChannel({ id: 1, weight: 0 }), aChannel({ id: 2, weight: 20 })]
    const firstAt = (point: number) => orderChannels(channels, { random: () => point, forceSwitch: false })[0]!.id

    expect([0, 0.24, 0.26, 0.999].map(firstAt)).toEqual([1, 1, 2, 2])
  })

  it('orders nothing into nothing', () => {
    expect(orderChannels([], first)).toEqual([])
  })
})

describe('orderByWeight', () => {
  it('uses plain weights, and equal chances when there are none', () => {
    const weighted = [aChannel({ id: 1, weight: 0 }), aChannel({ id: 2, weight: 5 })]
    const equal = [aChannel({ id: 1 }), aChannel({ id: 2 })]

    expect(ids(orderByWeight(weighted, () => 0))).toEqual([2, 1])
    expect(ids(orderByWeight(equal, () => 0.6))).toEqual([2, 1])
  })
})
