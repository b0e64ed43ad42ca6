import { describe, expect, it } from 'vitest'
import { pairNearest } from './pair-nearest.ts'

const at = (time: number) => ({ at: time })
const pairs = (ones: number[], others: number[], within = 60) =>
  pairNearest(ones.map(at), others.map(at), within)
    .map(([one, other]) => [one.at, other.at])
    .toSorted(([a], [b]) => a! - b!)

describe('pairNearest', () => {
  it('pairs the nearest first', () => {
    expect(pairs([0, 50], [49])).toEqual([[50, 49]])
    expect(pairs([0, 50], [45, 61])).toEqual([[50, 45]])
  })

  it('pairs the remaining ones', () => {
    expect(pairs([0, 10], [9, 11, 40])).toEqual([
      [0, 11],
      [10, 9],
    ])
  })

  it('uses each entry once', () => {
    expect(pairs([10, 10, 10], [10, 12])).toHaveLength(2)
  })

  it('respects the maximum distance', () => {
    expect(pairs([100], [160])).toEqual([[100, 160]])
    expect(pairs([100], [40])).toEqual([[100, 40]])
    expect(pairs([100], [161, 39])).toEqual([])
  })

  it('equals trying all pairs by distance', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let round = 0; round < 200; round += 1) {
      // All distances differ: among equal ones either choice is correct.
      const ones = Array.from({ length: random(8) }, () => random(100) + random(997) / 997)
      const others = Array.from({ length: random(8) }, () => random(100) + random(991) / 991)
      const scaled = (times: number[]) => times.map((time) => Math.round(time * 1_000_000))

      expect(pairs(scaled(ones), scaled(others), 3_000_000)).toEqual(byTrying(scaled(ones), scaled(others), 3_000_000))
    }
  })
})

function byTrying(ones: number[], others: number[], within: number): number[][] {
  const all = ones.flatMap((one) => others.map((other) => [one, other] as const))
  const takenOnes = new Set<number>()
  const takenOthers = new Set<number>()
  const found: number[][] = []
  for (const [one, other] of all.toSorted((a, b) => Math.abs(a[0] - a[1]) - Math.abs(b[0] - b[1]))) {
    if (Math.abs(one - other) > within || takenOnes.has(one) || takenOthers.has(other)) continue
    takenOnes.add(one)
    takenOthers.add(other)
    found.push([one, other])
  }
  return found.toSorted(([a], [b]) => a! - b!)
}
