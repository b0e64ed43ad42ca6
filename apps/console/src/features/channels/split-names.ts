/** Models and groups travel as comma-separated text. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(/[,，\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}
