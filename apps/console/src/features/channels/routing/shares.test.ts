import { describe, expect, it } from 'vitest'
import { actualShares, changedWeights, deviates, percent, sharesOf, type Tier } from './shares.ts'

const channel = (id: number, weight: number): Tier['channels'][number] => ({
  channel_id: id,
  name: `channel-${id}`,
  type: 1,
  priority: 0,
  weight,
  requests_last_hour: weight * 2,
  circuit: null,
  upstream_model: 'm',
  share: 0,
})

const tier = (floor: number, ...weights: number[]): Tier => ({
  group: 'default',
  model: 'm',
  priority: 0,
  weight_floor: floor,
  channels: weights.map((weight, index) => channel(index + 1, weight)),
})

describe('expected shares', () => {
  it('follow the weights', () => {
    expect([...sharesOf(tier(0, 50, 30), new Map()).values()].map(percent)).toEqual(['62.5%', '37.5%'])
  })

  it('follow edited weights', () => {
    expect(percent(sharesOf(tier(0, 50, 20), new Map([[2, 30]])).get(2)!)).toBe('37.5%')
  })

  it('add the floor to each weight, and are equal without any weight', () => {
    expect([...sharesOf(tier(10, 0, 10), new Map()).values()].map(percent)).toEqual(['33.3%', '66.7%'])
    expect([...sharesOf(tier(0, 0, 0), new Map()).values()]).toEqual([0.5, 0.5])
  })
})

describe('actual shares', () => {
  it('follow the requests of the tier', () => {
    const { requests, shares } = actualShares(tier(0, 30, 10))

    expect(requests).toBe(80)
    expect([...shares]).toEqual([
      [1, 0.75],
      [2, 0.25],
    ])
  })

  it('are missing without requests', () => {
    expect(actualShares(tier(0, 0, 0))).toEqual({ requests: 0, shares: new Map() })
  })

  it.each([
    ['25% of 20 requests instead of 50%', 0.5, 0.25, 20, false],
    ['25% of 200 requests instead of 50%', 0.5, 0.25, 200, true],
    ['52% of 20,000 requests instead of 50%', 0.5, 0.52, 20_000, false],
    ['10% instead of none', 0, 0.1, 50, true],
  ])('deviate from the expected ones: %s', (_, expected, actual, requests, isMarked) => {
    expect(deviates(expected, actual, requests)).toBe(isMarked)
  })
})

it('finds weights that differ from the plan', () => {
  const plan = { tiers: [tier(0, 1, 2)], excluded: [] }

  expect([
    ...changedWeights(
      plan,
      new Map([
        [1, 1],
        [2, 5],
        [9, 3],
      ]),
    ),
  ]).toEqual([[2, 5]])
})
