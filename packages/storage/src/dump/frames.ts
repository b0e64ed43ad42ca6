import { createHash, type Hash } from 'node:crypto'

/**
 * A dump is a sequence of frames: four bytes of length, then the content. An empty frame ends a table. The last frame
 * holds the checksum of everything before it.
 */
const MAX_FRAME_BYTES = 1024 * 1024
const HEAD_BYTES = 4

/** The file is not a dump, is truncated, or was changed. */
export class DumpError extends Error {
  override readonly name = 'DumpError'
}

export class FrameWriter {
  readonly #hash: Hash = createHash('sha256')

  writeJson(value: unknown): Generator<Buffer> {
    return this.write(Buffer.from(JSON.stringify(value)))
  }

  /** Splits the content into frames. */
  *write(content: Uint8Array): Generator<Buffer> {
    for (let from = 0; from < content.byteLength; from += MAX_FRAME_BYTES) {
      yield this.#frame(content.subarray(from, from + MAX_FRAME_BYTES))
    }
  }

  end(): Buffer {
    return this.#frame(new Uint8Array())
  }

  /** The checksum of everything written so far. */
  checksum(): string {
    return this.#hash.copy().digest('hex')
  }

  #frame(content: Uint8Array): Buffer {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32BE(content.byteLength)
    this.#hash.update(head).update(content)
    return Buffer.concat([head, content])
  }
}

export class FrameReader {
  readonly #source: ByteReader
  readonly #hash: Hash = createHash('sha256')

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = new ByteReader(source)
  }

  /** The next frame; throws at the end of the source. */
  async next(): Promise<Buffer> {
    const head = await this.#take(HEAD_BYTES)
    const length = head.readUInt32BE()
    if (length > MAX_FRAME_BYTES) throw new DumpError('This is not a backup of Tidegate, or it is damaged')
    const content = await this.#take(length)
    this.#hash.update(head).update(content)
    return content
  }

  /** Yields frames up to the next empty one. */
  async *untilEnd(): AsyncGenerator<Buffer> {
    for (let frame = await this.next(); frame.byteLength > 0; frame = await this.next()) yield frame
  }

  /** Reads a JSON value up to the empty frame after it. */
  async nextJson(): Promise<unknown> {
    const parts: Buffer[] = []
    for await (const part of this.untilEnd()) parts.push(part)
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'))
    } catch {
      throw new DumpError('This is not a backup of Tidegate, or it is damaged')
    }
  }

  checksum(): string {
    return this.#hash.copy().digest('hex')
  }

  /**
   * Throws unless the source ends here. Reading to the end also authenticates the last chunk of an encrypted backup.
   */
  async expectEnd(): Promise<void> {
    if (!(await this.#source.isAtEnd())) throw new DumpError('The backup is damaged: it goes on after its end')
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#source.close()
  }

  async #take(bytes: number): Promise<Buffer> {
    const taken = await this.#source.take(bytes)
    if (taken.byteLength < bytes) throw new DumpError('The backup is cut short')
    return taken
  }
}

/** Reads a stream in blocks of a requested size. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns this many bytes, or fewer at the end of the source. */
  async take(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = [this.#buffered]
    let length = this.#buffered.byteLength
    while (length < bytes) {
      const { value, done } = await this.#source.next()
      if (done) break
      parts.push(value)
      length += value.byteLength
    }
    const all = parts.length === 1 ? this.#buffered : Buffer.concat(parts, length)
    this.#buffered = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#buffered.byteLength === 0) {
      const { value, done } = await this.#source.next()
      if (done) return true
      this.#buffered = bufferOf(value)
    }
    return false
  }

  /** Yields `first` and then everything that was not read yet. */
  async *rest(first: Buffer): AsyncGenerator<Buffer> {
    yield first
    yield this.#buffered
    this.#buffered = Buffer.alloc(0)
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      yield bufferOf(next.value)
    }
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
