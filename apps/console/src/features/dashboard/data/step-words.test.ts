import { afterEach, describe, expect, it, vi } from 'vitest'
import { cutAt, namedHours, stepName, stepTick } from './step-words.ts'

const at = (text: string) => Date.parse(text) / 1000
const midnight = at('2026-11-14T16:00:00Z')

afterEach(() => vi.unstubAllEnvs())

describe('the names of steps', () => {
  it('are those of the person’s own zone, or of UTC where the steps are', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    expect(stepName(midnight, { step: 'day', inUtc: false })).toBe('11-15')
    expect(stepName(midnight, { step: 'hour', inUtc: false })).toBe('11-15 00:00')
    expect(stepName(midnight, { step: 'week', inUtc: false })).toBe('11-15 – 11-21')
    expect(stepName(midnight, { step: 'day', inUtc: true })).toBe('11-14')
  })

  it('are short under a bar, with the day where one begins', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    expect(stepTick(midnight, { step: 'hour', inUtc: false })).toBe('11-15')
    expect(stepTick(midnight + 3600, { step: 'hour', inUtc: false })).toBe('01:00')
  })

  it('say from when a step is shown that began before the span did', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const from = midnight + 9.5 * 3600

    expect(cutAt(midnight, { step: 'day', inUtc: false, from })).toBe('09:00')
    expect(cutAt(midnight, { step: 'week', inUtc: false, from })).toBe('11-15 09:00')
    expect(cutAt(midnight + 86_400, { step: 'day', inUtc: false, from })).toBe('')
  })

  it('are given to some of the days only, where there are hundreds of hours', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const hours = Array.from({ length: 30 * 24 }, (_, index) => midnight + index * 3600)

    const named = [...namedHours(hours, false)]

    expect(named).toHaveLength(6)
    expect(named.every((index) => index % 24 === 0)).toBe(true)
  })
})
