import styles from './chart.module.css'

interface Props {
  /** Oldest first; a gap where nothing is known. */
  values: readonly (number | undefined)[]
  /** How many places the line has, so that it grows from the right. */
  places?: number
}

const WIDTH = 100
const HEIGHT = 24

/** A course in a thumb's width. Decoration: the figure it stands beside says what matters. */
export function Sparkline({ values, places = values.length }: Props) {
  const runs = runsOf(values, places)
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      focusable="false"
    >
      {runs.map((run) => (
        <g key={run[0]!.x}>
          <path className={styles.sparkArea} d={`${line(run)}L${run.at(-1)!.x} ${HEIGHT}L${run[0]!.x} ${HEIGHT}Z`} />
          <path className={styles.sparkLine} d={line(run)} />
        </g>
      ))}
    </svg>
  )
}

interface Point {
  x: number
  y: number
}

/** Stretches without a gap, in the picture's measure. */
export function runsOf(values: readonly (number | undefined)[], places: number): Point[][] {
  const highest = Math.max(...values.map((value) => value ?? 0))
  const step = WIDTH / Math.max(places - 1, 1)
  const first = places - values.length
  const runs: Point[][] = [[]]
  for (const [index, value] of values.entries()) {
    if (value === undefined) runs.push([])
    else runs.at(-1)!.push({ x: (first + index) * step, y: heightOf(value, highest) })
  }
  return runs.filter((run) => run.length > 1)
}

const heightOf = (value: number, highest: number) => HEIGHT - 1 - (highest > 0 ? value / highest : 0) * (HEIGHT - 3)

const line = (points: readonly Point[]) =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('')
