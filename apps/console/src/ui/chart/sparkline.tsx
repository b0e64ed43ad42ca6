import styles from './chart.module.css'

interface Props {
  /** Oldest first; undefined where the value is unknown. */
  values: readonly (number | undefined)[]
  /** A second, dashed line to compare with, on the same scale. */
  compare?: readonly (number | undefined)[]
  /** Number of positions; by default the length of the longer line. */
  places?: number
}

const NO_VALUES: readonly number[] = []
const WIDTH = 100
const HEIGHT = 32

/** A small line without axes. Hidden from screen readers, because the number next to it has the value. */
export function Sparkline({ values, compare = NO_VALUES, places }: Props) {
  const count = places ?? Math.max(values.length, compare.length)
  const highest = Math.max(0, ...[...values, ...compare].map((value) => value ?? 0))
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      focusable="false"
    >
      {runsOf(values, count, highest).map((run) => (
        <g key={run[0]!.x}>
          <path className={styles.sparkArea} d={`${line(run)}L${run.at(-1)!.x} ${HEIGHT}L${run[0]!.x} ${HEIGHT}Z`} />
          <path className={styles.sparkLine} d={line(run)} />
        </g>
      ))}
      {runsOf(compare, count, highest).map((run) => (
        <path key={run[0]!.x} className={styles.sparkCompare} d={line(run)} />
      ))}
    </svg>
  )
}

interface Point {
  x: number
  y: number
}

/** Splits the values at gaps into lines, in SVG coordinates. */
function runsOf(values: readonly (number | undefined)[], places: number, highest: number): Point[][] {
  const step = WIDTH / Math.max(places - 1, 1)
  const runs: Point[][] = [[]]
  for (const [index, value] of values.entries()) {
    if (value === undefined) runs.push([])
    else runs.at(-1)!.push({ x: index * step, y: heightOf(value, highest) })
  }
  return runs.filter((run) => run.length > 1)
}

const heightOf = (value: number, highest: number) => HEIGHT - 1 - (highest > 0 ? value / highest : 0) * (HEIGHT - 3)

const line = (points: readonly Point[]) =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('')
