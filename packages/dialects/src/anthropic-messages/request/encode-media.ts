import type { DocumentPart, ImagePart, MediaSource } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { type Block, writeCacheMark } from './cache-control.ts'
import { textFromBase64 } from './text-from-base64.ts'

export function encodeImage({ source, cache }: ImagePart): Block {
  return { type: 'image', source: encodeSource(inlined(source), 'an image'), ...writeCacheMark(cache) }
}

export function encodeDocument({ source, filename, cache }: DocumentPart): Block {
  return {
    type: 'document',
    source: source.kind === 'text' ? plainText(source.text) : encodeDocumentSource(inlined(source)),
    ...(filename && { title: filename }),
    ...writeCacheMark(cache),
  }
}

function encodeDocumentSource(source: MediaSource): Block {
  if (source.kind !== 'base64' || source.mediaType === 'application/pdf') return encodeSource(source, 'a document')
  if (/^text\/|^application\/json\b/.test(source.mediaType)) return plainText(textFromBase64(source.data))
  throw new DialectError(
    'cannot_express',
    `a document of type ${source.mediaType || 'unknown'}: only PDF and text are read`,
  )
}

function plainText(data: string): Block {
  return { type: 'text', media_type: 'text/plain', data }
}

function encodeSource(source: MediaSource, what: string): Block {
  switch (source.kind) {
    case 'base64':
      // Widely written this way, and refused.
      return {
        type: 'base64',
        media_type: source.mediaType === 'image/jpg' ? 'image/jpeg' : source.mediaType,
        data: source.data,
      }
    case 'url':
      return { type: 'url', url: source.url }
    case 'file':
      // A file's id says nothing of its vendor but by its spelling, which is this one's alone.
      if (source.id.startsWith('file_')) return { type: 'file', file_id: source.id }
      throw new DialectError('cannot_express', `${what} that another vendor keeps (${source.id})`)
  }
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/

/** A data URL holds what it stands for, and the vendor fetches none. */
function inlined(source: MediaSource): MediaSource {
  const head = source.kind === 'url' ? DATA_URL.exec(source.url.slice(0, 200)) : undefined
  if (source.kind !== 'url' || !head) return source
  return { kind: 'base64', mediaType: head[1] || (source.mediaType ?? ''), data: source.url.slice(head[0].length) }
}
