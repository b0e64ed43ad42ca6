import { describe, expect, it } from 'vitest'
import { aCatalog, aChannel } from '../../test/support/catalog.ts'
import { routeName, upstreamName } from './model-names.ts'

describe('routeName', () => {
  const catalog = aCatalog([
    aChannel({ id: 1, modelPrefix: 'a/' }),
    aChannel({ id: 2, modelPrefix: 'a/b/' }),
    aChannel({ id: 3, modelPrefix: 'off/', enabled: false }),
    aChannel({ id: 4, modelPrefix: 'vip/', groups: ['vip'] }),
  ])

  it.each([
    ['gpt-4o', 'gpt-4o', 'gpt-4o', ''],
    ['a/gpt-4o', 'gpt-4o', 'gpt-4o', 'a/'],
    ['a/b/gpt-4o', 'gpt-4o', 'gpt-4o', 'a/b/'],
    ['off/gpt-4o', 'off/gpt-4o', 'off/gpt-4o', ''],
    ['vip/gpt-4o', 'vip/gpt-4o', 'vip/gpt-4o', ''],
    ['a/gpt-4-gizmo-g-123', 'gpt-4-gizmo-g-123', 'gpt-4-gizmo-*', 'a/'],
  ])('splits %s', (requested, bare, routed, prefix) => {
    expect(routeName(catalog, 'default', requested)).toEqual({ bare, routed, prefix })
  })
})

describe('upstreamName', () => {
  const channelWithMapping = (...pairs: [string, string][]) => aChannel({ modelMapping: new Map(pairs) })

  it('follows the mapping, by the routed name first', () => {
    expect(upstreamName(channelWithMapping(), 'x', 'p/x')).toBe('x')
    expect(upstreamName(channelWithMapping(['x', 'y'], ['y', 'z'], ['p/x', 'w']), 'x', 'p/x')).toBe('z')
    expect(upstreamName(channelWithMapping(['p/x', 'w']), 'x', 'p/x')).toBe('w')
  })

  it('keeps the name of a custom assistant, although it is routed by its family', () => {
    const name = 'gpt-4-gizmo-g-123'

    expect(upstreamName(channelWithMapping(), 'gpt-4-gizmo-*', name, name)).toBe(name)
    expect(upstreamName(channelWithMapping(['gpt-4-gizmo-*', 'gpt-4']), 'gpt-4-gizmo-*', name, name)).toBe('gpt-4')
  })

  it('stops at a cycle', () => {
    expect(['x', 'y']).toContain(upstreamName(channelWithMapping(['x', 'y'], ['y', 'x']), 'x', 'x'))
    expect(upstreamName(channelWithMapping(['x', 'x']), 'x', 'x')).toBe('x')
  })
})
