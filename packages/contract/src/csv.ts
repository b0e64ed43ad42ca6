/** Also behind space and line breaks, and in the full-width forms that spreadsheets read alike. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A text as a cell of a CSV file. What a spreadsheet would run as a formula is marked as text. */
export function csvText(text: string): string {
  return csvValue(FORMULA.test(text) ? `'${text}` : text)
}

/** A value that is no free text, such as a number or a time. */
export function csvValue(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
