import { expect, it } from 'vitest'
import { hereAndNow } from './here-and-now.ts'

it('is never less than on a machine of its own, and no excuse for everything', () => {
  const took = hereAndNow(1_000)

  expect(took).toBeGreaterThanOrEqual(1_000)
  expect(took).toBeLessThan(100_000)
})
