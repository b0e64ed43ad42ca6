import { describe, expect, it } from 'vitest'
import { readView, shownStep, spanBefore, spanOf } from './view.ts'

const NOW = 1_800_000_000
const HOUR = 3600
const DAY = 86_400
const admin = { isAdmin: true, defaultStep: 'hour' } as const
const user = { isAdmin: false, defaultStep: 'hour' } as const
const view = (search: string, reader: Parameters<typeof readView>[1] = admin) =>
  readView(new URLSearchParams(search), reader)

describe('what the dashboard shows', () => {
  it.each([
    ['hour', 'day', 1],
    ['day', 'week', 7],
    ['week', 'month', 30],
  ] as const)('begins as the site wishes: %s by %s', (defaultStep, range, days) => {
    const shown = view('', { isAdmin: false, defaultStep })

    expect(shown).toMatchObject({ range, step: defaultStep, scope: 'self' })
    expect(spanOf(shown, NOW)).toEqual({ start: NOW - days * DAY, end: NOW + HOUR, until: NOW, isCut: false })
  })

  it('is the whole site for administrators, and for nobody else', () => {
    expect(view('').scope).toBe('site')
    expect(view('of=user&username=mira')).toMatchObject({ scope: 'user', username: 'mira' })
    expect(view('of=site', user).scope).toBe('self')
  })

  it('shows 30 days by day, unless the site begins with weeks', () => {
    expect(view('range=month').step).toBe('day')
    expect(view('range=month', { isAdmin: true, defaultStep: 'week' }).step).toBe('week')
  })

  it('keeps a step that was chosen for a range', () => {
    expect(view('range=week&step=hour')).toMatchObject({ range: 'week', step: 'hour' })
  })

  it('passes over what cannot be read', () => {
    expect(view('range=forever&step=minute&of=them&start=soon')).toMatchObject({
      range: 'day',
      step: 'hour',
      scope: 'site',
      start: null,
    })
  })
})

describe('the time it covers', () => {
  it('is cut to what the server gives out: a month of one’s own, a year of the site', () => {
    const long = `range=custom&start=${NOW - 500 * DAY}&end=${NOW}`

    expect(spanOf(view(long, user), NOW)).toMatchObject({ start: NOW - 31 * DAY - HOUR, isCut: true })
    expect(spanOf(view(long), NOW)).toMatchObject({ start: NOW - 366 * DAY, isCut: true })
  })

  it('is a day when the address has the ends the wrong way round', () => {
    expect(spanOf(view(`range=custom&start=${NOW}&end=${NOW - DAY}`), NOW)).toMatchObject({ start: NOW - 2 * DAY })
  })

  it('shows no hours of more than a month', () => {
    const hours = view(`range=custom&step=hour&start=${NOW - 90 * DAY}&end=${NOW}`)

    expect(shownStep(hours, spanOf(hours, NOW))).toBe('day')
  })

  it('is compared with as many whole hours before it', () => {
    const before = spanBefore({ start: NOW - DAY, end: NOW + HOUR, until: NOW, isCut: false })

    expect(before).toEqual({ start: NOW - 2 * DAY, end: NOW - DAY - 1 })
  })
})
