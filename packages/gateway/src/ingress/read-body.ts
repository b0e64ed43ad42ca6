import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Refusal } from '@tidegate/contract'
import { turnFor } from '../give-turn.ts'

export const BODY_CAP_BYTES = 32 * 1024 * 1024

/** The text of a request body, decompressed, read no further than the cap. */
export async function readBody(request: IncomingMessage, capBytes = BODY_CAP_BYTES): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > capBytes) {
    discardRest(request)
    throw new Refusal('body_too_large')
  }
  try {
    const text = decode(await collect(decompressed(request), capBytes))
    const turn = turnFor(text.length) // what reads it next takes its time too
    if (turn) await turn
    return text
  } catch (error) {
    discardRest(request)
    if (error instanceof Refusal || request.destroyed) throw error
    throw new Refusal('invalid_text_request', { reason: 'the body cannot be decompressed' }, { cause: error })
  }
}

/** By its events: an iterator costs more than a small body itself, and would destroy a request that is left early. */
function collect(body: Readable, capBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      // Counted after unpacking: a few kilobytes can hold gigabytes.
      if (size > capBytes) {
        chunks.length = 0
        reject(new Refusal('body_too_large'))
      } else chunks.push(chunk)
    })
    body.once('end', () => {
      isOver = true
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
    })
    body.once('error', reject)
    body.once('close', () => {
      if (!isOver) reject(new Error('the client left')) // an error costs more than all the rest, and comes with every close
    })
  })
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

/** Text in the narrow form where it can be: it takes half the memory, and is read faster. */
function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (!isUtf8(bytes)) throw new Refusal('invalid_json')
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

const BYTE_ORDER_MARK = '\uFEFF'
