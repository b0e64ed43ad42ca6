import type { ModelFigures } from '@tidegate/contract/api'

export type Hour = ModelFigures['hours'][number]

const HOUR = 3600
const HOURS = 24

/** The last 24 hours, oldest first, including hours without requests. `now` is in milliseconds. */
export function lastDay(hours: readonly Hour[], now = Date.now()): Hour[] {
  const known = new Map(hours.map((hour) => [hour.hour, hour]))
  const current = Math.floor(now / 1000 / HOUR) * HOUR
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = current - (HOURS - 1 - index) * HOUR
    return known.get(hour) ?? { hour, calls: 0, failed: 0 }
  })
}

/** Rounds down, so that one failure among many requests is not shown as 100%. */
export function formatAvailability(share: number | undefined): string {
  if (share === undefined) return '–'
  if (share === 1) return '100%'
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)}%`
}
