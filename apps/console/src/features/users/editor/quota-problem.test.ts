import { describe, expect, it } from 'vitest'
import { MAX_QUOTA, quotaProblem } from './quota-problem.ts'

const ADMIN = { seen: 100, mayOwe: false }
const ROOT = { seen: 100, mayOwe: true }

describe('a balance', () => {
  it.each([0, 100, 500, MAX_QUOTA])('can be %i', (quota) => {
    expect(quotaProblem(quota, ADMIN)).toBeNull()
  })

  it('cannot be left out, nor be more than an account can hold, nor a fraction', () => {
    expect(quotaProblem(null, ROOT)).toBe('blank')
    expect(quotaProblem(MAX_QUOTA + 1, ROOT)).toBe('range')
    expect(quotaProblem(-MAX_QUOTA - 1, ROOT)).toBe('range')
    expect(quotaProblem(1e20, ROOT)).toBe('range')
    expect(quotaProblem(0.5, ROOT)).toBe('range')
  })

  it('is made a debt by the super admin only, but a debt may stay', () => {
    expect(quotaProblem(-1, ADMIN)).toBe('debt')
    expect(quotaProblem(-1, ROOT)).toBeNull()
    expect(quotaProblem(-300, { seen: -300, mayOwe: false })).toBeNull()
  })
})
