/** One measured value. */
export interface Metric {
  name: string
  value: number
  unit: 'ms' | 'µs' | 'MB' | 'KB' | 'requests/s' | 'statements/1000' | 'times' | 'errors'
  note?: string
}

export function printMetrics(metrics: readonly Metric[]): void {
  const rows = metrics.map(({ name, value, unit, note = '' }) => [name, formatRounded(value), unit, note] as const)
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length))
  for (const [name, value, unit, note] of rows) {
    console.log(`${name.padEnd(width(0))}  ${value.padStart(width(1))} ${unit.padEnd(width(2))}  ${note}`.trimEnd())
  }
}

function formatRounded(value: number): string {
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

type Cell = string | number | undefined

/** A Markdown table as in the docs: numbers right-aligned, empty cells for missing values. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumeric = heads.map((_, column) =>
    rows.every((row) => row[column] === undefined || typeof row[column] === 'number' || /^[-+\d]/.test(row[column])),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    `|${isNumeric.map((metric) => (metric ? '--:' : '---')).join('|')}|`,
    ...rows.map((row) => line(row.map(cellText))),
  ].join('\n')
}

function cellText(cell: Cell): string {
  if (cell === undefined) return ''
  return typeof cell === 'number' ? formatNumber(cell) : cell
}

/** Significant digits only: 0.42, 3.1, 64, 12,345. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return ''
  const size = Math.abs(value)
  const digits = size < 1 ? 2 : size < 10 ? 1 : 0
  const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return text === '-0' ? '0' : text
}
