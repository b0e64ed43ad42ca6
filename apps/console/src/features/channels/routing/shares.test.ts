import { describe, expect, it } from 'vitest'
import { actualShares, changedWeights, percent, sharesOf, type Tier } from './shares.ts'

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
  it('follow the requests of all tiers', () => {
    const [first, second] = [tier(0, 30), { ...tier(0, 10), channels: [channel(2, 10)] }]
    expect([...actualShares({ tiers: [first, second], excluded: [] })]).toEqual([
      [1, 0.75],
      [2, 0.25],
    ])
  })

  it('are missing without requests', () => {
    expect(actualShares({ tiers: [tier(0, 0, 0)], excluded: [] }).size).toBe(0)
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
