export type Cell = string | number | undefined

/** A table as the docs have them: figures to the right, nothing where there is no figure. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isFigure = heads.map((_, column) =>
    rows.every((row) => row[column] === undefined || typeof row[column] === 'number' || /^[-+\d]/.test(row[column])),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    `|${isFigure.map((figure) => (figure ? '--:' : '---')).join('|')}|`,
    ...rows.map((row) => line(row.map(cellText))),
  ].join('\n')
}

function cellText(cell: Cell): string {
  if (cell === undefined) return ''
  return typeof cell === 'number' ? figureText(cell) : cell
}

/** As many digits as mean something: 0.42, 3.1, 64, 12,345. */
export function figureText(value: number): string {
  if (!Number.isFinite(value)) return ''
  const size = Math.abs(value)
  const digits = size < 1 ? 2 : size < 10 ? 1 : 0
  const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return text === '-0' ? '0' : text
}
