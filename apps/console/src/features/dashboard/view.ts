import { OWN_DATA_SECONDS, SITE_DATA_SECONDS, TIME_STEPS, type TimeStep } from '@tidegate/contract/api'

/** Whose use is looked at. */
export const SCOPES = ['self', 'site', 'user'] as const
export type Scope = (typeof SCOPES)[number]

export const RANGES = ['day', 'week', 'month', 'custom'] as const
export type RangeName = (typeof RANGES)[number]

/** What the dashboard shows, as the address holds it. */
export interface View {
  scope: Scope
  /** Whose, when it is one user's; blank until somebody is chosen. */
  username: string
  range: RangeName
  step: TimeStep
  /** Unix seconds; only with the custom range. */
  start: number | null
  end: number | null
}

interface Reader {
  isAdmin: boolean
  /** What the site wishes people to begin with. */
  defaultStep: TimeStep
}

const DAY = 86_400
const DAYS: Record<Exclude<RangeName, 'custom'>, number> = { day: 1, week: 7, month: 30 }
const RANGE_OF: Record<TimeStep, RangeName> = { hour: 'day', day: 'week', week: 'month' }
const STEP_OF: Record<RangeName, TimeStep> = { day: 'hour', week: 'day', month: 'day', custom: 'day' }

export const defaultRange = ({ defaultStep }: Pick<Reader, 'defaultStep'>): RangeName => RANGE_OF[defaultStep]
export const defaultScope = ({ isAdmin }: Pick<Reader, 'isAdmin'>): Scope => (isAdmin ? 'site' : 'self')
/** The step of a range: that of the site for the range it begins with, else the one that shows the range best. */
export const stepFor = (range: RangeName, defaultStep: TimeStep): TimeStep =>
  range === RANGE_OF[defaultStep] ? defaultStep : STEP_OF[range]

export function readView(search: URLSearchParams, reader: Reader): View {
  const range = RANGES.find((name) => name === search.get('range')) ?? defaultRange(reader)
  const asked = SCOPES.find((scope) => scope === search.get('of'))
  return {
    scope: (reader.isAdmin && asked) || defaultScope(reader),
    username: (search.get('username') ?? '').trim(),
    range,
    step: TIME_STEPS.find((step) => step === search.get('step')) ?? stepFor(range, reader.defaultStep),
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

/** The time a view covers, within what the server gives out at once. */
export interface Span {
  /** Unix seconds. */
  start: number
  end: number
  /** The last moment anything can have happened at: charts end here, not in the future. */
  until: number
  /** The start was moved, because the range was longer than allowed. */
  isCut: boolean
}

/** A preset ends an hour ahead: what is booked while we look is within it. */
export function spanOf({ range, start, end, scope }: View, now: number): Span {
  const last = range === 'custom' ? (end ?? now + 3600) : now + 3600
  const wished = range === 'custom' ? (start ?? last - DAY) : now - DAYS[range] * DAY
  const longest = scope === 'self' ? OWN_DATA_SECONDS : SITE_DATA_SECONDS
  const first = wished < last ? wished : last - DAY
  const isCut = last - first > longest
  return { start: isCut ? last - longest : first, end: last, until: Math.min(last, now), isCut }
}

/** Hours of a year are more than a chart can show or a browser should load: long spans come as days of UTC. */
export const isLong = ({ start, end }: Pick<Span, 'start' | 'end'>): boolean => end - start > OWN_DATA_SECONDS

/** The step that is drawn. */
export const shownStep = ({ step }: Pick<View, 'step'>, span: Span): TimeStep =>
  isLong(span) && step === 'hour' ? 'day' : step

/** As many whole hours before the span as have passed of it, so that like is compared with like. */
export function spanBefore({ start, until }: Span): Pick<Span, 'start' | 'end'> {
  const first = Math.floor(start / 3600) * 3600
  const hours = Math.max(1, Math.round((until - first) / 3600))
  return { start: first - hours * 3600, end: first - 1 }
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}
