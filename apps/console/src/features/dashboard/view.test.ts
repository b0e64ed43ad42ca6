import { describe, expect, it, vi } from 'vitest'
import { readView, shownStep, spanBefore, spanOf } from './view.ts'

const NOW = 1_800_000_000
const HOUR = 3600
const DAY = 86_400
const admin = { isAdmin: true, defaultStep: 'hour' } as const
const user = { isAdmin: false, defaultStep: 'hour' } as const
const view = (search: string, reader: Parameters<typeof readView>[1] = admin) =>
  readView(new URLSearchParams(search), reader)

describe('the view', () => {
  it.each([
    ['hour', 'day', 1],
    ['day', 'week', 7],
    ['week', 'month', 30],
  ] as const)('starts with the default of the site: %s by %s', (defaultStep, range, days) => {
    const shown = view('', { isAdmin: false, defaultStep })

    expect(shown).toMatchObject({ range, step: defaultStep, scope: 'self' })
    expect(spanOf(shown, NOW)).toEqual({ start: NOW - days * DAY, end: NOW + HOUR, until: NOW, isCut: false })
  })

  it('shows the whole site only to administrators', () => {
    expect(view('').scope).toBe('site')
    expect(view('of=user&username=mira')).toMatchObject({ scope: 'user', username: 'mira' })
    expect(view('of=site', user).scope).toBe('self')
  })

  it('shows 30 days by day, unless weeks are the default', () => {
    expect(view('range=month').step).toBe('day')
    expect(view('range=month', { isAdmin: true, defaultStep: 'week' }).step).toBe('week')
  })

  it('keeps a selected interval', () => {
    expect(view('range=week&step=hour')).toMatchObject({ range: 'week', step: 'hour' })
  })

  it('ignores invalid parameters', () => {
    expect(view('range=forever&step=minute&of=them&start=soon')).toMatchObject({
      range: 'day',
      step: 'hour',
      scope: 'site',
      start: null,
    })
  })
})

describe('the time range', () => {
  it('is limited to a month for users and a year for the site', () => {
    const long = `range=custom&start=${NOW - 500 * DAY}&end=${NOW}`

    expect(spanOf(view(long, user), NOW)).toMatchObject({ start: NOW - 31 * DAY - HOUR, isCut: true })
    expect(spanOf(view(long), NOW)).toMatchObject({ start: NOW - 366 * DAY, isCut: true })
  })

  it('is a day if start and end are swapped', () => {
    expect(spanOf(view(`range=custom&start=${NOW}&end=${NOW - DAY}`), NOW)).toMatchObject({ start: NOW - 2 * DAY })
  })

  it('shows no hours for more than a month', () => {
    const hours = view(`range=custom&step=hour&start=${NOW - 90 * DAY}&end=${NOW}`)

    expect(shownStep(hours, spanOf(hours, NOW))).toBe('day')
  })

  it('starts at local midnight for today and on the first for this month', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const now = Date.parse('2026-11-18T06:40:00Z') / 1000
    const today = spanOf(view('range=today'), now)
    const month = spanOf(view('range=calendar_month'), now)

    expect(today.start).toBe(Date.parse('2026-11-17T16:00:00Z') / 1000)
    expect(month.start).toBe(Date.parse('2026-10-31T16:00:00Z') / 1000)
    expect(spanBefore(today, 'today')).toEqual({ start: today.start - DAY, end: today.start - DAY + 15 * HOUR - 1 })
    expect(spanBefore(month, 'calendar_month').start).toBe(Date.parse('2026-09-30T16:00:00Z') / 1000)
    vi.unstubAllEnvs()
  })

  it('is compared with as many whole hours before it', () => {
    const before = spanBefore({ start: NOW - DAY, end: NOW + HOUR, until: NOW, isCut: false }, 'day')

    expect(before).toEqual({ start: NOW - 2 * DAY, end: NOW - DAY - 1 })
  })
})
