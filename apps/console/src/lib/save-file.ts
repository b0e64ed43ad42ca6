/** Gives a text to the person as a file, whole or in the pieces it came in. */
export function saveText(name: string, ...content: BlobPart[]): void {
  save(name, new Blob(content, { type: 'text/plain;charset=utf-8' }))
}

/** In front of a table it tells spreadsheets that what follows is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Gives a table to the person as a file, whole or in the pieces it came in. */
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
