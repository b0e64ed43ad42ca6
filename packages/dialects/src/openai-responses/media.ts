import type { MediaSource } from '../canonical/index.ts'

type Inlined = Extract<MediaSource, { kind: 'base64' }>

/** The content of a base64 data URL. Cut by hand, for they are many megabytes long. */
export function readDataUrl(url: string): Inlined | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  const [mediaType = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (!parameters.includes('base64')) return undefined
  return { kind: 'base64', mediaType, data: url.slice(comma + 1) }
}

export function writeDataUrl({ mediaType, data }: Pick<Inlined, 'mediaType' | 'data'>): string {
  return `data:${mediaType};base64,${data}`
}

/** A file's content as clients send it: a data URL, or bare base64 whose kind only the name tells. */
export function readFileData(data: string, filename: string): Inlined {
  const mediaType = filename.toLowerCase().endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream'
  return readDataUrl(data) ?? { kind: 'base64', mediaType, data }
}
