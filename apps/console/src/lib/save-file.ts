/** Downloads text as a file. */
export function saveText(name: string, ...content: BlobPart[]): void {
  save(name, new Blob(content, { type: 'text/plain;charset=utf-8' }))
}

/** Marks a CSV file as UTF-8 for spreadsheet applications. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Downloads CSV as a file. */
export function saveCsv(name: string, ...content: BlobPart[]): void {
  save(name, new Blob([BYTE_ORDER_MARK, ...content], { type: 'text/csv;charset=utf-8' }))
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
