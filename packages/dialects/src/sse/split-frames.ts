const LF = 10
const CR = 13

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}

/**
 * Splits a server-sent event stream at its blank lines without changing a byte. Works on bytes, so a chunk may end
 * inside a character. LF, CRLF and CR all end a line.
 */
export class FrameSplitter {
  readonly #maxFrameBytes: number
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #atLineStart = true
  #afterCarriageReturn = false
  #chunk: Uint8Array = NO_BYTES
  /** Where the current frame begins in the chunk. */
  #start = 0
  #at = 0
  #nextLf = -1
  #nextCr = -1

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /** Takes the next chunk. `next` must have returned all frames of the previous one. */
  push(chunk: Uint8Array): void {
    this.#chunk = chunk
    this.#start = 0
    // Second half of a line end that was already counted.
    this.#at = this.#afterCarriageReturn && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) this.#afterCarriageReturn = false
    // `indexOf` is much faster than a loop over every byte.
    this.#nextLf = chunk.indexOf(LF, this.#at)
    this.#nextCr = chunk.indexOf(CR, this.#at)
  }

  /** The next frame that the chunk completes, with its blank line. */
  next(): Uint8Array | undefined {
    const chunk = this.#chunk
    this.#findLineEnds()
    while (this.#nextLf !== -1 || this.#nextCr !== -1) {
      const isCr = this.#nextCr !== -1 && (this.#nextLf === -1 || this.#nextCr < this.#nextLf)
      const end = isCr ? this.#nextCr : this.#nextLf
      const isBlank = this.#atLineStart && end === this.#at
      this.#at = end + 1
      this.#atLineStart = true
      if (isCr && chunk[this.#at] === LF) this.#at += 1
      else if (isCr && this.#at === chunk.length) this.#afterCarriageReturn = true
      if (isBlank) {
        const frame = this.#join(chunk.subarray(this.#start, this.#at))
        this.#start = this.#at
        return frame
      }
      this.#findLineEnds()
    }
    this.#keepRest()
    return undefined
  }

  /** Where the next frame begins in the chunk. -1 if it began in an earlier chunk, or the chunk is used up. */
  get frameStart(): number {
    return this.#start === this.#at && this.#start < this.#chunk.length && this.#pendingBytes === 0 ? this.#start : -1
  }

  /** Continues behind a frame that was read at `frameStart`. It ended with a blank line. */
  skipTo(end: number): void {
    this.#start = end
    this.#at = end
  }

  /** Remaining bytes of a stream that ends without a blank line. */
  flush(): Uint8Array | undefined {
    return this.#pendingBytes === 0 ? undefined : this.#join(NO_BYTES)
  }

  #findLineEnds(): void {
    const at = this.#at
    if (this.#nextLf < at) this.#nextLf = findNext(this.#chunk, LF, this.#nextLf, at)
    if (this.#nextCr < at) this.#nextCr = findNext(this.#chunk, CR, this.#nextCr, at)
  }

  #keepRest(): void {
    const chunk = this.#chunk
    if (this.#at < chunk.length) this.#atLineStart = false
    if (this.#start < chunk.length) {
      this.#pending.push(chunk.subarray(this.#start))
      this.#pendingBytes += chunk.length - this.#start
    }
    this.#chunk = NO_BYTES
    this.#start = 0
    this.#at = 0
    if (this.#pendingBytes > this.#maxFrameBytes) {
      throw new FrameTooLarge(`an event is larger than ${this.#maxFrameBytes} bytes`)
    }
  }

  #join(last: Uint8Array): Uint8Array {
    const parts = this.#pending
    if (parts.length === 0) return last
    const whole = new Uint8Array(this.#pendingBytes + last.length)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    whole.set(last, at)
    this.#pending = []
    this.#pendingBytes = 0
    return whole
  }
}

const NO_BYTES = new Uint8Array(0)

/** Next position of a byte. Does not search again after -1. */
function findNext(chunk: Uint8Array, byte: number, last: number, from: number): number {
  return last === -1 ? -1 : chunk.indexOf(byte, from)
}
