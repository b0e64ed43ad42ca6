/** Reads a stream of pieces in the sizes that its format has. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** So many bytes, and fewer only at the end of the source. */
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

  /** Everything that was not taken yet, after `first`. */
  async *rest(first: Buffer): AsyncGenerator<Buffer> {
    yield first
    yield this.#buffered
    this.#buffered = Buffer.alloc(0)
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      yield bufferOf(next.value)
    }
  }

  /** Releases the source, wherever it is. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
