/** One line for a spreadsheet. */
export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** A text that begins like a formula would be one in a spreadsheet; numbers are left alone. */
function cell(value: string | number | boolean): string {
  if (typeof value !== 'string' || /^-?[\d.]+$/.test(value)) return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
