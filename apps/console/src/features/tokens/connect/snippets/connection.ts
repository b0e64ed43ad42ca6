/** What a program needs to know to call models here. */
export interface Connection {
  /** Where this site is reached, without a slash at the end. */
  address: string
  /** The whole key, with its prefix. */
  key: string
  model: string
}

/** Something to paste. */
export interface Snippet {
  /** Where it goes, as the reader knows the place: a file, a shell, a language. */
  place: string
  /** What has to be installed first. */
  install?: string
  text: string
}

/** The root of the calls in OpenAI's protocol; the others find theirs from the address itself. */
export const openaiRoot = ({ address }: Pick<Connection, 'address'>): string => `${address}/v1`

/** For a POSIX shell: nothing inside is expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For PowerShell: nothing inside is expanded. */
export const powerShellQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Reads the same in JSON, JavaScript, Python and TOML. */
export const quote = (text: string): string => JSON.stringify(text)
