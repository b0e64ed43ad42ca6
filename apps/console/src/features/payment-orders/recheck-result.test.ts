import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { failureOf, findingOf } from './recheck-result.ts'

const callback = { id: 1, kind: 'callback', outcome: 'wrong_money' } as const
const recheckEvent = (outcome: string, id = 2) => ({ id, kind: 'recheck', outcome }) as const
const pending = { status: 'pending', events: [callback] } as const

describe('findingOf', () => {
  it.each(['credited', 'repeated', 'unpaid', 'wrong_money'])(
    'returns the outcome of the new recheck event: %s',
    (outcome) => {
      expect(findingOf(pending, { status: 'pending', events: [callback, recheckEvent(outcome)] })).toBe(outcome)
    },
  )

  it('ignores earlier rechecks and callbacks that arrive meanwhile', () => {
    const before = { ...pending, events: [callback, recheckEvent('unpaid')] }
    const late = { id: 4, kind: 'callback', outcome: 'credited' } as const

    expect(
      findingOf(before, { status: 'pending', events: [...before.events, recheckEvent('wrong_money', 3), late] }),
    ).toBe('wrong_money')
  })

  it('uses the order status if the recheck event is not listed', () => {
    expect(findingOf(pending, { ...pending, status: 'success' })).toBe('credited')
    expect(findingOf(pending, pending)).toBe('unrelated')
  })
})

describe('failureOf', () => {
  it.each([
    ['payment_unreachable', 'unreachable'],
    ['payment_closed', 'closed'],
    ['internal_error', 'failed'],
    ['network', 'failed'],
  ] as const)('maps %s to %s', (code, failure) => {
    expect(failureOf(new ApiError({ status: 200, code, serverMessage: '', requestId: '' }))).toBe(failure)
  })
})
