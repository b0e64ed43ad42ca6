import { median } from '../report.ts'

/** How a value changed over time: if it is bounded, its middle and its end are alike. */
export interface Trend {
  readonly max: number
  readonly firstThird: number
  readonly lastThird: number
  /** Slope of the line through the second half, per minute. */
  readonly perMinute: number
}

/** Takes pairs of second and value, in chronological order. */
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
