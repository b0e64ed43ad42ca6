import { describe, expect, it } from 'vitest'
import {
  changedMeanwhile,
  changedNames,
  draftChanges,
  hasConflict,
  priceNameOf,
  readPriceList,
  stateOf,
} from './price-list.ts'

const texts = {
  ModelPrice: '{"dall-e-3":0.04,"gizmo":0.1}',
  ModelRatio: '{"gpt-4o":1.25,"gizmo":15}',
  CompletionRatio: '{"gpt-4o":4}',
  CacheRatio: '{"lone":0.5}',
}
const stored = readPriceList(texts)

describe('the list of prices', () => {
  it('has every model of the four maps once', () => {
    expect([...stored.keys()].toSorted()).toEqual(['dall-e-3', 'gizmo', 'gpt-4o', 'lone'])
    expect(stored.get('gpt-4o')).toEqual({ ratio: 1.25, completion: 4 })
  })

  it('is empty for invalid text', () => {
    expect(readPriceList({ ModelRatio: '{"a":' }).size).toBe(0)
  })

  it('detects a model with both a price and a ratio', () => {
    expect([...stored].filter(([, prices]) => hasConflict(prices)).map(([name]) => name)).toEqual(['gizmo'])
  })
})

describe('the draft', () => {
  it('has a state for each model', () => {
    const draft = new Map([
      ['gpt-4o', { ratio: 1.25, completion: 4 }],
      ['dall-e-3', null],
      ['zebra', { ratio: 1 }],
      ['lone', { ratio: 2, cache: 0.5 }],
    ])

    const states = ['zebra', 'dall-e-3', 'gizmo', 'gpt-4o', 'lone'].map((name) => stateOf(name, stored, draft))

    expect(states).toEqual(['new', 'removed', 'same', 'same', 'changed'])
    expect(changedNames(stored, draft)).toEqual(['dall-e-3', 'lone', 'zebra'])
  })

  it('reports models that were changed by someone else', () => {
    const now = readPriceList({ ...texts, ModelRatio: '{"gpt-4o":2,"gizmo":15}' })

    expect(changedMeanwhile(stored, now, new Map([['gpt-4o', { ratio: 3 }]]))).toEqual(['gpt-4o'])
    expect(changedMeanwhile(stored, now, new Map([['gizmo', { price: 3 }]]))).toEqual([])
  })

  it('prices custom GPTs by their family', () => {
    expect(['gpt-4o-gizmo-a', 'gpt-4-gizmo-b', 'gpt-4o'].map(priceNameOf)).toEqual([
      'gpt-4o-gizmo-*',
      'gpt-4-gizmo-*',
      'gpt-4o',
    ])
  })

  it('changes only affected options and entries', () => {
    const draft = new Map([
      ['gizmo', { price: 0.1 }],
      ['zebra', { ratio: 0.075 }],
    ])

    expect(draftChanges(texts, draft)).toEqual([{ key: 'ModelRatio', value: '{"gpt-4o":1.25,"zebra":0.075}' }])
  })

  it('removes a model from every map', () => {
    expect(draftChanges(texts, new Map([['gpt-4o', null]]))).toEqual([
      { key: 'ModelRatio', value: '{"gizmo":15}' },
      { key: 'CompletionRatio', value: '{}' },
    ])
  })

  it('is empty once the server has stored it', () => {
    const draft = new Map([
      ['gpt-4o', { ratio: 1.25, completion: 4 }],
      ['gone', null],
    ])

    expect(draftChanges(texts, draft)).toEqual([])
  })

  it('accepts any model name', () => {
    const [change] = draftChanges({}, new Map([['__proto__', { ratio: 1 }]]))

    expect(change).toEqual({ key: 'ModelRatio', value: '{"__proto__":1}' })
    expect(readPriceList({ ModelRatio: change!.value }).get('__proto__')).toEqual({ ratio: 1 })
  })
})
