/** Gives a text to the person as a file. */
export function saveText(name: string, text: string): void {
  save(name, new Blob([text], { type: 'text/plain;charset=utf-8' }))
}

/** Gives a table to the person as a file; the mark in front tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, text: string): void {
  save(name, new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
