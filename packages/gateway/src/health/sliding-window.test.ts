import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SlidingWindow } from './channel-metrics.ts'

describe('SlidingWindow', () => {
  it('forgets results older than a minute', () => {
    const window = new SlidingWindow()

    window.record(0, 'failed')
    window.record(30_000, 'succeeded')

    expect(window.counts(59_999)).toEqual({ succeeded: 1, failed: 1 })
    expect(window.counts(60_000)).toEqual({ succeeded: 1, failed: 0 })
    expect(window.counts(1e9)).toEqual({ succeeded: 0, failed: 0 })
  })

  it('counts the same as a list of all results, at any time', () => {
    const step = fc.record({ after: fc.integer({ min: 0, max: 20 }), failed: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = new SlidingWindow()
        const all: { slot: number; failed: boolean }[] = []
        let slot = 340_000_000
        for (const { after, failed } of steps) {
          slot += after
          window.record(slot * 5_000, failed ? 'failed' : 'succeeded')
          all.push({ slot, failed })
        }
        const recent = all.filter((result) => result.slot > slot - 12)
        const expected = recent.filter(({ failed }) => failed).length

        expect(window.counts(slot * 5_000)).toEqual({ failed: expected, succeeded: recent.length - expected })
      }),
    )
  })

  it('does not move when the clock is set back', () => {
    const window = new SlidingWindow()
    window.record(100_000, 'failed')

    window.record(20_000, 'failed')

    expect(window.counts(30_000)).toEqual({ succeeded: 0, failed: 2 })
  })
})
