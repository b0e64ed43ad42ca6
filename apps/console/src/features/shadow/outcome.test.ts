import { describe, expect, it } from 'vitest'
import { aShadowCall, UNMATCHED } from '../../../test/sample-shadow.ts'
import { outcomeOf } from './outcome.ts'

const alike = { old_quota: 50_000, would_quota: 50_000 }

describe('how a call compares', () => {
  it.each([
    ['same', alike],
    ['charge', {}],
    ['channel', { ...alike, old_channel_id: 9 }],
    ['both', { old_channel_id: 9 }],
    ['unmatched', UNMATCHED],
    ['refused', { ...UNMATCHED, refusal: 'no_channel', channel_id: null }],
    ['refused', { refusal: 'no_channel', channel_id: null }],
  ] as const)('is %s', (outcome, changes) => {
    expect(outcomeOf(aShadowCall(changes))).toBe(outcome)
  })
})
