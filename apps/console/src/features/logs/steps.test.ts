import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { attemptText, formatSpan, reasonText, ticksOf, totalOf } from './steps.ts'

const t = i18n.getFixedT('en', 'request')

describe('attempts', () => {
  it('show protocol and status to administrators', () => {
    const step = { kind: 'attempt', started: 0, took: 5, served: false } as const

    expect(attemptText({ ...step, channel: 3, channel_name: 'harbour', dialect: 'openai-chat', status: 429 }, t)).toBe(
      'openai-chat · HTTP 429',
    )
    expect(attemptText(step, t)).toBe('')
  })

  it.each([
    ['timeout: ', 'The provider timed out'],
    ['status: Slow down: later', 'The provider returned an error — Slow down: later'],
    ['something else', 'something else'],
  ])('shows the failure reason "%s"', (reason, text) => {
    expect(reasonText(reason, t)).toBe(text)
  })

  it('leaves out a message that is shown elsewhere', () => {
    expect(reasonText('status: Busy', t, () => true)).toBe('The provider returned an error')
  })
})

describe('the time axis of a request', () => {
  it('ends with the last step', () => {
    expect(totalOf([])).toBe(0)
    expect(
      totalOf([
        { kind: 'attempt', started: 2, took: 300 },
        { kind: 'first_token', started: 120, took: 0 },
      ]),
    ).toBe(302)
  })

  it.each([
    [0, [0]],
    [302, [0, 100, 200, 300]],
    [1000, [0, 250, 500, 750, 1000]],
    [7.3, [0, 2, 4, 6]],
  ])('marks %d ms at round times', (total, ticks) => {
    expect(ticksOf(total)).toEqual(ticks)
  })

  it.each([
    [0.42, '0.4 ms'],
    [320.4, '320 ms'],
    [2350, '2.35 s'],
    [160_000, '2 min 40 s'],
  ])('writes %d ms as %s', (milliseconds, written) => {
    expect(formatSpan(milliseconds)).toBe(written)
  })
})
