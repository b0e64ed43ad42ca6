/** One measured number, with how it was come by. */
export interface Figure {
  name: string
  value: number
  unit: 'ms' | 'µs' | 'MB' | 'KB' | 'requests/s' | 'statements/1000' | 'times' | 'errors'
  note?: string
}

export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, value, unit, note = '' }) => [name, rounded(value), unit, note] as const)
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length))
  for (const [name, value, unit, note] of rows) {
    console.log(`${name.padEnd(width(0))}  ${value.padStart(width(1))} ${unit.padEnd(width(2))}  ${note}`.trimEnd())
  }
}

function rounded(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The smallest value that at least this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}
