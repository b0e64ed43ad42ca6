import { expect, it, vi } from 'vitest'
import { rememberHashes } from './remember-hashes.ts'

it('makes each hash once, and forgets those that were not asked for lately', () => {
  const compute = vi.fn((secret: string) => secret.toUpperCase())
  const hashOf = rememberHashes(compute, 2)

  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(hashOf)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(compute.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b'])
})

it('keeps nothing of what is too long to be a key', () => {
  const compute = vi.fn((secret: string) => String(secret.length))
  const hashOf = rememberHashes(compute)

  expect([hashOf('x'.repeat(300)), hashOf('x'.repeat(300))]).toEqual(['300', '300'])
  expect(compute).toHaveBeenCalledTimes(2)
})
