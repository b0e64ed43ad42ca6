import { csvText, csvValue } from '@tidegate/contract'

/** A line of a spreadsheet. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? csvText(value) : csvValue(JSON.stringify(value))
}
