/** A line of a spreadsheet. What a spreadsheet would take for a formula is made a text. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: unknown): string {
  const written = textOf(value)
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(written) ? `'${written}` : written
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
