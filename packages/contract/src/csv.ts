/** Also after whitespace, and in the full-width forms that spreadsheets accept. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A text as a CSV cell. A leading apostrophe keeps spreadsheets from evaluating formulas. */
export function csvText(text: string): string {
  return csvValue(FORMULA.test(text) ? `'${text}` : text)
}

/** A value that is not free text, such as a number or a time. */
export function csvValue(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
