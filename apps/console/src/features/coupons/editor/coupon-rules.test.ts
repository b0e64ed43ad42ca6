import { describe, expect, it } from 'vitest'
import {
  countProblem,
  keyProblem,
  knownNameProblem,
  nameProblem,
  quotaProblem,
  usesProblem,
  windowProblem,
} from './coupon-rules.ts'
import { worthOf } from './worth.ts'

describe('the rules of a code', () => {
  it.each([
    [nameProblem(''), null],
    [nameProblem('春'.repeat(20)), null],
    [nameProblem('春'.repeat(21)), 'nameLong'],
    [knownNameProblem('  '), 'nameBlank'],
    [quotaProblem(null), 'quotaBlank'],
    [quotaProblem(0), 'quotaRange'],
    [quotaProblem(-5), 'quotaRange'],
    [quotaProblem(9_000_000_000_000_001), 'quotaRange'],
    [quotaProblem(1), null],
    [usesProblem(-1), null],
    [usesProblem(0), 'usesInvalid'],
    [usesProblem(-2), 'usesInvalid'],
    [usesProblem(null), 'usesInvalid'],
    [usesProblem(1), null],
    [keyProblem('  WELCOME  '), null],
    [keyProblem('WEL COME'), 'keyInvalid'],
    [keyProblem('a'.repeat(33)), 'keyInvalid'],
    [countProblem(100), null],
    [countProblem(101), 'countInvalid'],
    [countProblem(0), 'countInvalid'],
    [countProblem(null), 'countInvalid'],
    [windowProblem(5, 5), 'windowInvalid'],
    [windowProblem(5, 6), null],
    [windowProblem(5, null), null],
    [windowProblem(null, 5), null],
  ])('case %#', (found, expected) => {
    expect(found).toBe(expected)
  })
})

describe('the most that new codes can pay out', () => {
  it.each([
    [{ quota: 10, count: 3 }, 30],
    [{ quota: 10, count: 3, key: 'WELCOME' }, 10],
    [{ quota: 10, count: 3, is_gift: true, max_uses: 5 }, 150],
    [{ quota: 10, count: 3, is_gift: true, max_uses: -1 }, null],
    [{ quota: null, count: 3 }, undefined],
    [{ quota: 10, count: -3 }, undefined],
  ])('case %#', (values, worth) => {
    expect(worthOf(values)).toBe(worth)
  })
})
