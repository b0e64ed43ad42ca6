import { OWN_DATA_SECONDS, SITE_DATA_SECONDS, TIME_STEPS, type TimeStep } from '@tidegate/contract/api'
import { wholeNumber } from '../../lib/whole-number.ts'
import { METRICS, type Metric } from './usage.ts'

/** The whole site, the signed-in user, or a selected user. */
export const SCOPES = ['site', 'self', 'user'] as const
export type Scope = (typeof SCOPES)[number]

export const RANGES = ['today', 'day', 'week', 'month', 'calendar_month', 'custom'] as const
export type RangeName = (typeof RANGES)[number]

/** State of the dashboard, from the URL. */
export interface View {
  scope: Scope
  /** With the scope `user`; blank until a user is selected. */
  username: string
  range: RangeName
  step: TimeStep
  metric: Metric
  /** Unix seconds; only with the custom range. */
  start: number | null
  end: number | null
}

interface Defaults {
  isAdmin: boolean
  /** The default interval of the site. */
  defaultStep: TimeStep
}

const DAY = 86_400
const DAYS = { day: 1, week: 7, month: 30 } as const
const RANGE_OF: Record<TimeStep, RangeName> = { hour: 'day', day: 'week', week: 'month' }
const STEP_OF: Record<RangeName, TimeStep> = {
  today: 'hour',
  day: 'hour',
  week: 'day',
  month: 'day',
  calendar_month: 'day',
  custom: 'day',
}

export const defaultRange = ({ defaultStep }: Pick<Defaults, 'defaultStep'>): RangeName => RANGE_OF[defaultStep]
export const defaultScope = ({ isAdmin }: Pick<Defaults, 'isAdmin'>): Scope => (isAdmin ? 'site' : 'self')
/** The interval of a range: the site's own for its default range, otherwise a fixed one. */
export const stepFor = (range: RangeName, defaultStep: TimeStep): TimeStep =>
  range === RANGE_OF[defaultStep] ? defaultStep : STEP_OF[range]

export function readView(search: URLSearchParams, defaults: Defaults): View {
  const range = RANGES.find((name) => name === search.get('range')) ?? defaultRange(defaults)
  const scope = SCOPES.find((name) => name === search.get('of'))
  return {
    scope: (defaults.isAdmin && scope) || defaultScope(defaults),
    username: (search.get('username') ?? '').trim(),
    range,
    step: TIME_STEPS.find((step) => step === search.get('step')) ?? stepFor(range, defaults.defaultStep),
    metric: METRICS.find((metric) => metric === search.get('metric')) ?? 'quota',
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

/** The time range of a view, limited to the maximum of the server. */
export interface Span {
  /** Unix seconds. */
  start: number
  end: number
  /** Charts end here, not in the future. */
  until: number
  /** The start was moved, because the range was too long. */
  isCut: boolean
}

/** Presets end an hour from now, so that usage settled in the meantime is included. */
export function spanOf({ range, start, end, scope }: View, now: number): Span {
  const last = range === 'custom' ? (end ?? now + 3600) : now + 3600
  const requested = range === 'custom' ? (start ?? last - DAY) : startOf(range, now)
  const longest = scope === 'self' ? OWN_DATA_SECONDS : SITE_DATA_SECONDS
  const first = requested < last ? requested : last - DAY
  const isCut = last - first > longest
  return { start: isCut ? last - longest : first, end: last, until: Math.min(last, now), isCut }
}

function startOf(range: Exclude<RangeName, 'custom'>, now: number): number {
  const date = new Date(now * 1000)
  if (range === 'today') return localTime(date.getFullYear(), date.getMonth(), date.getDate())
  if (range === 'calendar_month') return localTime(date.getFullYear(), date.getMonth(), 1)
  return now - DAYS[range] * DAY
}

/** Long ranges are loaded by UTC day: a year of hours is too much for a chart and for the browser. */
export const isLong = ({ start, end }: Pick<Span, 'start' | 'end'>): boolean => end - start > OWN_DATA_SECONDS

/** The interval of the chart. */
export const shownStep = ({ step }: Pick<View, 'step'>, span: Span): TimeStep =>
  isLong(span) && step === 'hour' ? 'day' : step

/** The period to compare with: as many whole hours, of the day or month before for `today` and `calendar_month`. */
export function spanBefore({ start, until }: Span, range: RangeName): Pick<Span, 'start' | 'end'> {
  const first = Math.floor(start / 3600) * 3600
  const length = Math.max(1, Math.round((until - first) / 3600)) * 3600
  const date = new Date(start * 1000)
  if (range === 'today') {
    const from = localTime(date.getFullYear(), date.getMonth(), date.getDate() - 1)
    return { start: from, end: from + length - 1 }
  }
  if (range === 'calendar_month') {
    const from = localTime(date.getFullYear(), date.getMonth() - 1, 1)
    return { start: from, end: Math.min(from + length, start) - 1 }
  }
  return { start: first - length, end: first - 1 }
}

const localTime = (year: number, month: number, day: number) => Math.floor(new Date(year, month, day).getTime() / 1000)
