import type { PricePreset } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { readPriceList } from './price-list.ts'
import { presetDiff } from './preset-diff.ts'

const aPreset = (maps: Partial<PricePreset>): PricePreset => ({
  source: 'flexible',
  version: '2026.11',
  model_price: {},
  model_ratio: {},
  completion_ratio: {},
  cache_ratio: {},
  ...maps,
})

const now = readPriceList({
  ModelPrice: '{"reef":0.5}',
  ModelRatio: '{"gpt-4o":1.25,"o1":9}',
  CompletionRatio: '{"gpt-4o":4}',
  CacheRatio: '{"o1":0.5}',
})

describe('presetDiff', () => {
  it('returns new models first, then changed ones, and the names of unchanged models', () => {
    const preset = aPreset({ model_ratio: { 'gpt-4o': 1.25, o1: 7.5, zebra: 1 }, completion_ratio: { 'gpt-4o': 4 } })

    const { rows, unchanged } = presetDiff(preset, now)

    expect(rows.map(({ name }) => name)).toEqual(['zebra', 'o1'])
    expect(rows[1]).toMatchObject({ before: { ratio: 9, cache: 0.5 }, after: { ratio: 7.5, cache: 0.5 } })
    expect(unchanged).toEqual(['gpt-4o'])
  })

  it('changes the billing type if the list uses another one', () => {
    const preset = aPreset({ model_ratio: { reef: 2 }, model_price: { o1: 0.1 } })

    const after = new Map(presetDiff(preset, now).rows.map((row) => [row.name, row.after]))

    expect(after.get('reef')).toEqual({ price: undefined, ratio: 2 })
    expect(after.get('o1')).toEqual({ price: 0.1 })
  })

  it('changes one value if the list has only that value', () => {
    const { rows } = presetDiff(aPreset({ source: 'legacy', completion_ratio: { o1: 4 } }), now)

    expect(rows).toEqual([
      { name: 'o1', before: { ratio: 9, cache: 0.5 }, after: { ratio: 9, cache: 0.5, completion: 4 } },
    ])
  })
})
