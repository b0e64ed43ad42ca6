import { expect, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'

it('goes on in a new snapshot with the same keys, and begins anew with others', () => {
  const ring = createKeyRing()

  expect(ring.next({ id: 1, keys: ['a', 'b', 'c'] })).toBe('a')
  expect(ring.next({ id: 1, keys: ['a', 'b', 'c'] })).toBe('b')
  expect(ring.next({ id: 2, keys: ['a', 'b'] })).toBe('a')
  expect(ring.next({ id: 1, keys: ['b', 'c'] })).toBe('b')
})
