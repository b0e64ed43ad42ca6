import type { MediaSource } from '../canonical/index.ts'
import { DialectError } from '../canonical/errors.ts'

/** File ids of other providers. OpenAI's start with `file-`; compatible providers use any form. */
const FOREIGN_FILE_ID = /^(file_|files\/|https?:)/

/** Rejects file ids of other providers, which OpenAI cannot read. */
export function requireOpenAIFile(id: string, what: string): string {
  if (FOREIGN_FILE_ID.test(id)) throw new DialectError('cannot_express', `${what} that another provider stores (${id})`)
  return id
}

export type InlineMedia = Extract<MediaSource, { kind: 'base64' }>

/** Reads a base64 data URL. Uses no regular expression, because data URLs can have many megabytes. */
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
