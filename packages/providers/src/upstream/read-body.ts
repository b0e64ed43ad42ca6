import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { JsonScanner } from '@tidegate/contract'
import type { UpstreamResponse } from './types.ts'
import { failureFromResponse, FAILURES, UpstreamFailure } from './failure.ts'

const DEFAULT_CAP_BYTES = 64 * 1024 * 1024

/** Reads and decompresses the whole body. A body larger than the cap is aborted, because it is held in memory. */
export function readBody(response: UpstreamResponse, capBytes = DEFAULT_CAP_BYTES): Promise<Buffer> {
  return read(response, capBytes, undefined)
}

/** Like `readBody`, for a body that is parsed as JSON. Aborts as soon as it exceeds the JSON limits. */
export function readJsonBody(response: UpstreamResponse, capBytes = DEFAULT_CAP_BYTES): Promise<Buffer> {
  return read(response, capBytes, new JsonScanner())
}

export async function readJsonText(response: UpstreamResponse, capBytes?: number): Promise<string> {
  return (await readJsonBody(response, capBytes)).toString('utf8')
}

const ERROR_CAP_BYTES = 1024 * 1024

/** Throws an UpstreamFailure with the error of the body, unless the status is a success. */
export async function checkStatus(response: UpstreamResponse): Promise<void> {
  const { status, headers } = response
  if (status >= 200 && status <= 299) return
  const body = await readBody(response, ERROR_CAP_BYTES)
  throw failureFromResponse(status, body.toString('utf8'), headers)
}

async function read(response: UpstreamResponse, capBytes: number, scanner: JsonScanner | undefined): Promise<Buffer> {
  const body = new ByteCollector()
  try {
    for await (const chunk of readChunks(response)) {
      body.push(chunk)
      if (body.length > capBytes) throw FAILURES.tooLarge(new Error(`the response is larger than ${capBytes} bytes`))
      const excess = scanner?.push(chunk)
      if (excess) throw FAILURES.tooLarge(new Error(`the response is ${excess.replaceAll('_', ' ')}`))
    }
  } catch (error) {
    response.abort()
    throw error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
  }
  return body.bytes()
}

/** The chunks of a body of any size. We request uncompressed bodies, but some providers compress anyway. */
export function readChunks(response: UpstreamResponse): AsyncIterable<Uint8Array> {
  const encoding: string | string[] | undefined = response.headers['content-encoding']
  // A repeated header is an array, despite its type. Double compression is not supported.
  const first: string | undefined = Array.isArray(encoding) ? String(encoding[0]) : encoding
  const create = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    first?.trim().toLowerCase() ?? ''
  ]
  if (!create) return chunksOf(response)
  const decoder = create()
  // Errors also reach the reader of the decoder.
  pipeline(Readable.from(chunksOf(response), { objectMode: false }), decoder).catch(() => {})
  return decoder
}

async function* chunksOf(response: UpstreamResponse): AsyncGenerator<Uint8Array> {
  for (let chunk = await response.read(); chunk; chunk = await response.read()) yield chunk
}

/** More chunks than this are joined: one-byte chunks would need a hundred times the memory. */
const MAX_PIECES = 1024

/** Collects chunks of any size. */
export class ByteCollector {
  readonly #pieces: Uint8Array[] = []
  #joined = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  get pieces(): readonly Uint8Array[] {
    return this.#pieces
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#pieces.length - this.#joined < MAX_PIECES) return
    this.#pieces.push(Buffer.concat(this.#pieces.splice(this.#joined)))
    this.#joined = this.#pieces.length
  }

  clear(): void {
    this.#pieces.length = 0
    this.#joined = 0
    this.#length = 0
  }

  /** All bytes; not copied if there is one chunk. */
  bytes(): Buffer {
    const [first] = this.#pieces
    return this.#pieces.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(this.#pieces, this.#length)
  }
}
