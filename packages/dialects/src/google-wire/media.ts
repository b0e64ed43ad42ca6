import { DialectError } from '../canonical/errors.ts'

const { atob } = globalThis as unknown as { atob(text: string): string }

/** File URIs that only Google can read, with the credentials of the uploader. */
export const GOOGLE_FILE_URI = /^(gs:\/\/|https:\/\/generativelanguage\.googleapis\.com\/)/

/** Kind of a part by media type. Other types become documents, which other protocols accept or reject. */
export function mediaKind(mediaType: string): 'image' | 'audio' | 'document' {
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType.startsWith('audio/') ? 'audio' : 'document'
}

/** Text of a document, with its title. */
export function documentText(text: string, filename: string | undefined): string {
  return filename === undefined ? text : `${filename}\n\n${text}`
}

export const DEFAULT_MEDIA_TYPES = { image: 'image/jpeg', audio: 'audio/wav', document: 'application/pdf' } as const

/** Guesses the media type from the extension of a URL. Empty if unknown. */
export function guessMediaType(url: string): string {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return MEDIA_TYPES_BY_EXTENSION[extension] ?? ''
}

const MEDIA_TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/m4a',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** Decodes UTF-8 text from base64. */
export function decodeBase64Text(data: string, member: string): string {
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'))
    let escaped = ''
    for (let at = 0; at < bytes.length; at += 1) escaped += `%${bytes.charCodeAt(at).toString(16).padStart(2, '0')}`
    return decodeURIComponent(escaped)
  } catch {
    throw new DialectError('invalid_request', `${member} of a text must be UTF-8 in base64`)
  }
}
