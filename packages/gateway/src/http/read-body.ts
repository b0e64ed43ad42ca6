import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ApiError, JsonScanner, MAX_DEPTH, MAX_VALUES } from '@tidegate/contract'
import { countMembers, type JsonObject, parseBody, parseBodyInSlices } from '@tidegate/dialects'
import { ByteCollector } from '@tidegate/providers'
import { nextTurn, yieldIfLarge } from '../tokens/yield-event-loop.ts'

interface JsonText {
  readonly text: string
  readonly json: JsonObject
}

export interface JsonBody {
  readonly kind: 'json'
  readonly text: string
  readonly json: JsonObject
}

/** `JSON.parse` takes a few milliseconds up to this size. Distinct member names cost the most. */
const SMALL_LENGTH = 1024 * 1024
const FEW_MEMBERS = 5_000

/**
 * The JSON object of a request body, and its text. A large one is parsed in slices, so that other requests continue.
 */
export async function readJson(
  request: IncomingMessage,
  options?: Pick<ReadOptions, 'capBytes' | 'beforeLarge' | 'bytes'>,
): Promise<JsonText> {
  const held = LARGE_BODIES.open()
  try {
    const body = await readBody(request, { ...options, hold: held.add })
    const json = isSmall(body) ? parseBody(body.text) : await parseLarge(body.text)
    // A provider that uses the first of two equal names must not read a value that was not checked here.
    const isRepeated = isSmall(body) && countMembers(json) < body.members
    return { text: isRepeated ? JSON.stringify(json) : body.text, json }
  } finally {
    held.release()
  }
}

function isSmall({ text, members }: BodyText): boolean {
  return text.length <= SMALL_LENGTH && members <= FEW_MEMBERS
}

async function parseLarge(text: string): Promise<JsonObject> {
  const slices = parseBodyInSlices(text)
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
    await nextTurn()
  }
}

/** Rejects an invalid request with the reason. */
export function requireField(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new ApiError('invalid_text_request', { reason })
}

const BODY_CAP_BYTES = 32 * 1024 * 1024
/** Smaller bodies are read without a check. */
const LARGE_BYTES = 64 * 1024
/** Text compresses about ten to one. Small bodies with repetition may compress better. */
const MAX_RATIO = 100
const RATIO_FREE_BYTES = 1024 * 1024

export interface ReadOptions {
  /** The body, where `readSmallBody` has read it. */
  readonly bytes?: Buffer | undefined
  readonly capBytes?: number
  /** Called once when a body turns out to be large; throws to reject it unread. */
  readonly beforeLarge?: () => Promise<void>
  /** Receives the size of every part of a large body; throws to reject the body. */
  readonly hold?: (bytes: number) => void
}

interface BodyText {
  readonly text: string
  /** The number of object members. */
  readonly members: number
}

/** Reads the text of a JSON body, decompresses and scans it while it arrives. Stops at the limits. */
async function readBody(request: IncomingMessage, options: ReadOptions = {}): Promise<BodyText> {
  const { capBytes = BODY_CAP_BYTES } = options
  if (Number(request.headers['content-length'] ?? 0) > capBytes) {
    discardRest(request)
    throw new ApiError('body_too_large')
  }
  const scanner = new JsonScanner()
  let body: Readable | undefined
  try {
    body = options.bytes ? request : decompress(request)
    const bytes = options.bytes ?? (await collect(request, body, scanner, { ...options, capBytes }))
    const problem = options.bytes && complexity(scanner, options.bytes)
    if (problem) throw problem
    const turn = yieldIfLarge(bytes.length) // the next step is slow for a large body too
    if (turn) await turn
    return { text: decode(bytes), members: scanner.members }
  } catch (error) {
    discardRest(request)
    if (body !== request) body?.destroy()
    if (error instanceof ApiError || request.destroyed) throw error
    throw new ApiError('invalid_text_request', { reason: 'the body cannot be decompressed' }, { cause: error })
  }
}

/** Up to this size, a body is read in one piece and scanned there. */
const SMALL_BYTES = LARGE_BYTES

/** Reads a short body that is not compressed, at the least cost. Undefined for any other, which is not read. */
export function readSmallBody(request: IncomingMessage): Promise<Buffer> | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers
  if (length === undefined || encoding !== undefined || Number(length) > SMALL_BYTES) return undefined
  return new Promise((resolve, reject) => {
    let body: Buffer | undefined
    request.on('data', (chunk: Buffer) => {
      body = body ? Buffer.concat([body, chunk]) : chunk
    })
    request.on('end', () => resolve(body ?? NO_BODY))
    // Without an error object, which is expensive, after every body.
    request.on('close', () => request.complete || reject(new Error('the client left')))
    if (request.destroyed) reject(new Error('the client left'))
  })
}

const NO_BODY = Buffer.alloc(0)

/** Uses events: an iterator costs more than a small body, and would destroy a request that is left early. */
function collect(
  request: IncomingMessage,
  body: Readable,
  scanner: JsonScanner,
  { capBytes, beforeLarge, hold }: ReadOptions & { capBytes: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected = new ByteCollector()
    let isOver = false
    let isKnownLarge = false
    let compressedSize = Infinity
    if (body !== request) {
      compressedSize = 0
      request.on('data', (chunk: Buffer) => (compressedSize += chunk.length))
    }
    const fail = (error: unknown) => {
      isOver = true
      collected.clear()
      body.off('data', take)
      reject(error)
    }
    const take = (chunk: Buffer) => {
      collected.push(chunk)
      const size = collected.length
      const problem = excessOf(size, compressedSize, capBytes) ?? complexity(scanner, chunk)
      if (problem) return fail(problem)
      try {
        if (size > LARGE_BYTES) hold?.(isKnownLarge ? chunk.length : size)
      } catch (error) {
        return fail(error)
      }
      if (isKnownLarge || size <= LARGE_BYTES) return
      isKnownLarge = true
      if (!beforeLarge) return
      body.pause()
      beforeLarge().then(() => body.resume(), fail)
    }
    body.on('data', take)
    body.once('end', () => {
      if (isOver) return
      isOver = true
      resolve(collected.bytes())
    })
    body.once('error', fail)
    body.once('close', () => {
      if (!isOver) fail(new Error('the client left')) // the check avoids an error object, which is expensive, on every close
    })
  })
}

/** Checked after decompression: a few kilobytes can expand to gigabytes. */
function excessOf(size: number, compressedSize: number, capBytes: number): ApiError | undefined {
  if (size > capBytes) return new ApiError('body_too_large')
  if (size > RATIO_FREE_BYTES && size > compressedSize * MAX_RATIO) {
    return new ApiError('body_overcompressed', { ratio: MAX_RATIO })
  }
  return undefined
}

function complexity(scanner: JsonScanner, chunk: Buffer): ApiError | undefined {
  const excess = scanner.push(chunk)
  return excess && new ApiError('body_too_complex', { depth: MAX_DEPTH, values: MAX_VALUES })
}

/** A client that is cut off while sending sees a broken connection. Reading the rest lets it see the error. */
function discardRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
}

function decompress(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return request
  const create = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    encoding
  ]
  if (!create) throw new ApiError('invalid_text_request', { reason: `content encoding ${encoding} is not supported` })
  const decoder = create()
  request.once('close', () => {
    if (!request.complete) decoder.destroy(new Error('the client left'))
  })
  return request.pipe(decoder)
}

/** One-byte strings where possible: they take half the memory, and are parsed faster. */
function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

const BYTE_ORDER_MARK = '\uFEFF'

const MIN_LIMIT = 256 * 1024 * 1024
const RETRY_SECONDS = 5

/** Bytes of all large request bodies that are being read or parsed. */
export class BufferedBytes {
  readonly #limit: number
  #held = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Starts a body. `add` throws when all bodies together exceed the limit. */
  open(): { add(bytes: number): void; release(): void } {
    let own = 0
    return {
      add: (bytes) => {
        if (this.#held + bytes > this.#limit) {
          throw new ApiError('service_unavailable', {}, { retryAfterSeconds: RETRY_SECONDS })
        }
        this.#held += bytes
        own += bytes
      },
      release: () => {
        this.#held -= own
        own = 0
      },
    }
  }
}

/** An eighth of the memory of the machine or container: each body is held about three times until it is parsed. */
const LARGE_BODIES = new BufferedBytes(
  Math.max(MIN_LIMIT, Math.min(process.constrainedMemory() || Infinity, totalmem()) / 8),
)
