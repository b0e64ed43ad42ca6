import { readSettings, type Settings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { createVirtualModels } from './virtual-models.ts'

type Mapping = Record<string, [string, number][]>

/** A new object, as in every new catalog. */
function settingsOf(mapping: Mapping): Settings {
  const targets = Object.entries(mapping).map(([name, list]) => [
    name,
    list.map(([model, priorities]) => ({ model, priorities })),
  ])
  return readSettings(new Map([['global_model_mapping', JSON.stringify({ mapping: Object.fromEntries(targets) })]]))
}

const fast: Mapping = {
  fast: [
    ['a', 5],
    ['slow', 1],
    ['b', 5],
    ['slower', 1],
  ],
}

function setUp() {
  const virtual = createVirtualModels()
  const resolve = (mapping: Mapping, name = 'fast', options = {}) =>
    virtual.targetsOf(settingsOf(mapping), name, options).map(({ unmapped }) => unmapped)
  return { virtual, resolve }
}

describe('a virtual model', () => {
  it('resolves to its targets of highest priority in rotation, then to the lower ones', () => {
    const { resolve } = setUp()

    expect([resolve(fast), resolve(fast), resolve(fast)]).toEqual([
      ['a', 'b', 'slow', 'slower'],
      ['b', 'a', 'slower', 'slow'],
      ['a', 'b', 'slow', 'slower'],
    ])
  })

  it('restarts the rotation when the mapping changes, not with every catalog', () => {
    const { resolve } = setUp()

    expect([resolve(fast)[0], resolve(fast)[0], resolve(fast)[0]]).toEqual(['a', 'b', 'a'])

    expect(resolve({ ...fast, other: [['x', 0]] })[0]).toBe('a')
  })

  it('keeps a conversation on its target among equals, without advancing the rotation', () => {
    const { resolve } = setUp()

    expect(resolve(fast, 'fast', { preferred: 'b' })).toEqual(['b', 'a', 'slow', 'slower'])
    expect(resolve(fast, 'fast', { preferred: 'slower' })).toEqual(['a', 'b', 'slower', 'slow'])

    expect(resolve(fast)[0]).toBe('b')
  })

  it('can be resolved without advancing the rotation', () => {
    const { resolve } = setUp()

    expect([resolve(fast, 'fast', { peek: true })[0], resolve(fast)[0], resolve(fast)[0]]).toEqual(['a', 'a', 'b'])
  })
})

it('leaves every other name as it is, and custom assistants as their family', () => {
  const { virtual } = setUp()
  const settings = settingsOf(fast)

  expect(virtual.targetsOf(settings, 'gpt-4o')).toEqual([{ routed: 'gpt-4o', unmapped: 'gpt-4o' }])
  expect(virtual.targetsOf(settings, 'constructor')).toEqual([{ routed: 'constructor', unmapped: 'constructor' }])
  expect(virtual.targetsOf(settings, 'gpt-4-gizmo-g-1')).toEqual([
    { routed: 'gpt-4-gizmo-*', unmapped: 'gpt-4-gizmo-g-1' },
  ])
})
