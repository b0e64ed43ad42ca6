import { csvText } from '@tidegate/contract'

/** One CSV line. Numbers are not quoted, also as text. */
export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | boolean): string {
  return typeof value !== 'string' || /^-?[\d.]+$/.test(value) ? String(value) : csvText(value)
}
