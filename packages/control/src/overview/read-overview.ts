import type { api } from '@tidegate/contract'
import { overview } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { hoursOf, localDays, type DaySpan } from './local-day.ts'

/** Sums of today and of the same hours of yesterday. A fixed number of statements reads roll-ups. */
export async function readOverview(
  { db, logs, now }: Pick<Deps, 'db' | 'logs' | 'now'>,
  timezone = 'UTC',
): Promise<api.Overview> {
  const days = localDays(now(), timezone)
  const spans = [days.today, days.yesterday]
  const both = { from: days.yesterday.from, to: days.today.to }
  const [billed, outcomes, active, ...firstTokens] = await Promise.all([
    overview.billedByHour(db, both),
    overview.outcomesByHour(db, both),
    overview.activeUsers(db, spans),
    ...spans.map((span) => logs.firstTokenP95(span)),
  ])
  const billedAt = new Map(billed.map((row) => [row.hour, row]))
  const outcomesAt = new Map(outcomes.map((row) => [row.hour, row]))
  const usersOf = (span: number, hour: number | null) =>
    active.find((row) => row.span === span && row.hour === hour)?.users ?? 0

  const dayOf = (span: DaySpan, index: number): api.OverviewDay => {
    const times = hoursOf(span)
    const hours = times.map((time) => ({
      time,
      revenue: billedAt.get(time)?.quota ?? 0,
      requests: billedAt.get(time)?.requests ?? 0,
      error_rate: errorRate([outcomesAt.get(time)]),
      active_users: usersOf(index, time),
      first_token_p95: firstTokens[index]?.hours.get(time) ?? null,
    }))
    return {
      start: span.from.getTime() / 1000,
      revenue: hours.reduce((sum, { revenue }) => sum + revenue, 0),
      requests: hours.reduce((sum, { requests }) => sum + requests, 0),
      error_rate: errorRate(times.map((time) => outcomesAt.get(time))),
      active_users: usersOf(index, null),
      first_token_p95: firstTokens[index]?.p95 ?? null,
      hours,
    }
  }
  return { timezone, today: dayOf(days.today, 0), yesterday: dayOf(days.yesterday, 1) }
}

/** Null without requests: a rate of 0 would look like success. */
function errorRate(rows: readonly ({ served: number; failed: number } | undefined)[]): number | null {
  const failed = rows.reduce((sum, row) => sum + (row?.failed ?? 0), 0)
  const all = rows.reduce((sum, row) => sum + (row?.served ?? 0), failed)
  return all === 0 ? null : failed / all
}
