/** A Markdown table; cells must not contain line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/\r?\n/g, ' ')
}

export const code = (text: string) => (text === '' ? '' : `\`${text.replaceAll('`', "'")}\``)
