/** Beyond this many pieces they are joined: a body of one-byte pieces would need a hundred times its size. */
const MOST_PIECES = 1024

/** Bytes that arrive in pieces of any size. */
export class ByteCollector {
  readonly #pieces: Uint8Array[] = []
  #joined = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** In order. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#pieces.length - this.#joined < MOST_PIECES) return
    this.#pieces.push(Buffer.concat(this.#pieces.splice(this.#joined)))
    this.#joined = this.#pieces.length
  }

  clear(): void {
    this.#pieces.length = 0
    this.#joined = 0
    this.#length = 0
  }

  /** All of them; not copied when there is one. */
  bytes(): Buffer {
    const [first] = this.#pieces
    return this.#pieces.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(this.#pieces, this.#length)
  }
}
