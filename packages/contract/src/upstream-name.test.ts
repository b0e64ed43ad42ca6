import { expect, it } from 'vitest'
import { upstreamNameOf } from './upstream-name.ts'

const nameOf = (mapping: Record<string, string>, prefix = '') =>
  upstreamNameOf(new Map(Object.entries(mapping)), { name: `${prefix}m`, model: 'm' })

it('is the listed name without the prefix when nothing maps it', () => {
  expect(nameOf({})).toBe('m')
  expect(nameOf({ other: 'x' }, 'tide/')).toBe('m')
})

it('follows the mapping of the listed name, then of the prefixed name, step by step', () => {
  expect(nameOf({ m: 'x', x: 'y' }, 'tide/')).toBe('y')
  expect(nameOf({ 'tide/m': 'x' }, 'tide/')).toBe('x')
})

it('ends in a circle', () => {
  expect(nameOf({ m: 'x', x: 'm' })).toBe('m')
})
