import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Refusal } from '@tidegate/contract'

export const BODY_CAP_BYTES = 32 * 1024 * 1024

/** The text of a request body, decompressed, read no further than the cap. */
export async function readBody(request: IncomingMessage, capBytes = BODY_CAP_BYTES): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > capBytes) {
    discardRest(request)
    throw new Refusal('body_too_large')
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop must not destroy the request: its socket still has to carry the refusal.
    for await (const chunk of decompressed(request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      // Counted after unpacking: a few kilobytes can hold gigabytes.
      if (size > capBytes) throw new Refusal('body_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    discardRest(request)
    if (error instanceof Refusal || request.destroyed) throw error
    throw new Refusal('invalid_text_request', { reason: 'the body cannot be decompressed' }, { cause: error })
  }
  return decode(Buffer.concat(chunks, size))
}

/** A client that is cut off while it sends reports a broken connection: it must be let finish to see the refusal. */
function discardRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
}

function decompressed(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return request
  const create = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    encoding
  ]
  if (!create) throw new Refusal('invalid_text_request', { reason: `content encoding ${encoding} is not supported` })
  const decoder = create()
  request.once('close', () => {
    if (!request.complete) decoder.destroy(new Error('the client left'))
  })
  return request.pipe(decoder)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new Refusal('invalid_json', {}, { cause: error })
  }
}
