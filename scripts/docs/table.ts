/** A Markdown table; cells must not contain line breaks. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  alignment: readonly string[] = head.map(() => '---'),
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), `|${alignment.join('|')}|`, ...rows.map(line)].join('\n')
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/\r?\n/g, ' ')
}

export const code = (text: string) => (text === '' ? '' : `\`${text.replaceAll('`', "'")}\``)
