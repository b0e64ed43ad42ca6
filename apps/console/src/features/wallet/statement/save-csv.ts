/** Gives a table to the person as a file; the mark in front tells spreadsheets that it is UTF-8. */
export function saveCsv(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}
