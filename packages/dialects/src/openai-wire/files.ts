import { DialectError } from '../canonical/errors.ts'

/** How other vendors spell the names of files they keep. OpenAI's begin with `file-`, its followers' with anything. */
const KEPT_ELSEWHERE = /^(file_|files\/|https?:)/

/** The name of a file for OpenAI, which cannot find what another vendor keeps. */
export function keptFile(id: string, what: string): string {
  if (KEPT_ELSEWHERE.test(id)) throw new DialectError('cannot_express', `${what} that another vendor keeps (${id})`)
  return id
}
