import { median } from '../report.ts'

/** How a figure went over time: what is bounded has a middle and a later part that are alike. */
export interface Trend {
  readonly max: number
  readonly firstThird: number
  readonly lastThird: number
  /** Of the straight line through the second half, per minute. */
  readonly perMinute: number
}

/** Takes pairs of a second and a value, in the order of time. */
export function trendOf(points: readonly (readonly [second: number, value: number])[]): Trend {
  const values = points.map(([, value]) => value)
  const third = Math.max(1, Math.floor(values.length / 3))
  return {
    max: Math.max(0, ...values),
    firstThird: median(values.slice(0, third)),
    lastThird: median(values.slice(-third)),
    perMinute: slopeOf(points.slice(Math.floor(points.length / 2))) * 60,
  }
}

/** Least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  if (points.length < 2) return 0
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
}
