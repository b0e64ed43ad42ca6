import type { MediaSource } from '../canonical/index.ts'
import { DialectError } from '../canonical/errors.ts'

/** How other vendors spell the names of files they keep. OpenAI's begin with `file-`, its followers' with anything. */
const FOREIGN_FILE_ID = /^(file_|files\/|https?:)/

/** The name of a file for OpenAI, which cannot find what another vendor keeps. */
export function requireOpenAIFile(id: string, what: string): string {
  if (FOREIGN_FILE_ID.test(id)) throw new DialectError('cannot_express', `${what} that another vendor keeps (${id})`)
  return id
}

export type InlineMedia = Extract<MediaSource, { kind: 'base64' }>

/** The content of a base64 data URL. Cut by hand, for they are many megabytes long. */
export function readDataUrl(url: string): InlineMedia | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  const [mediaType = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (!parameters.includes('base64')) return undefined
  return { kind: 'base64', mediaType, data: url.slice(comma + 1) }
}

export function writeDataUrl({ mediaType, data }: Pick<InlineMedia, 'mediaType' | 'data'>): string {
  return `data:${mediaType};base64,${data}`
}
