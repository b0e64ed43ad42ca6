import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { failureOf, findingOf } from './recheck-result.ts'

const told = { id: 1, kind: 'callback', outcome: 'wrong_money' } as const
const asked = (outcome: string, id = 2) => ({ id, kind: 'recheck', outcome }) as const
const pending = { status: 'pending', events: [told] } as const

describe('what came of asking the payment service', () => {
  it.each(['credited', 'repeated', 'unpaid', 'wrong_money'])('is what was noted of the answer: %s', (outcome) => {
    expect(findingOf(pending, { status: 'pending', events: [told, asked(outcome)] })).toBe(outcome)
  })

  it('is not what was noted earlier, nor what the service said by itself meanwhile', () => {
    const before = { ...pending, events: [told, asked('unpaid')] }
    const late = { id: 4, kind: 'callback', outcome: 'credited' } as const

    expect(findingOf(before, { status: 'pending', events: [...before.events, asked('wrong_money', 3), late] })).toBe(
      'wrong_money',
    )
  })

  it('is seen from the order where the answer is not listed', () => {
    expect(findingOf(pending, { ...pending, status: 'success' })).toBe('credited')
    expect(findingOf(pending, pending)).toBe('unrelated')
  })
})

describe('a question that failed', () => {
  it.each([
    ['payment_unreachable', 'unreachable'],
    ['payment_closed', 'closed'],
    ['internal_error', 'failed'],
    ['network', 'failed'],
  ] as const)('with %s is told as %s', (code, failure) => {
    expect(failureOf(new ApiError({ status: 200, code, serverMessage: '', requestId: '' }))).toBe(failure)
  })
})
