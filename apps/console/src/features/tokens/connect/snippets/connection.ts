export { openaiRoot, quote, shellQuote, type Connection } from '../../../../lib/code-samples/index.ts'

/** Something to paste. */
export interface Snippet {
  /** Where it goes, as the reader knows the place: a file, a shell, a language. */
  place: string
  /** What has to be installed first. */
  install?: string
  text: string
}

/** For PowerShell: nothing inside is expanded. */
export const powerShellQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`
