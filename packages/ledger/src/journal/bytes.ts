const NUMBER_SIZE = 11
const UTF8_SIZE = 3

/** How a number is stored, in the lowest bits of its first value. */
const INTEGER = 0
const NEGATIVE = 1
const FLOAT = 2

/** Integers up to this one have room for the two bits of their kind. */
const LARGEST = Number.MAX_SAFE_INTEGER / 4

/** Writes values one after the other into a buffer that grows and is used again. */
export class ByteWriter {
  #bytes: Buffer
  #end = 0

  constructor(capacity = 4096) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
  }

  get length(): number {
    return this.#end
  }

  /** What was written since the last `clear`. Valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#end)
  }

  clear(): void {
    this.#end = 0
  }

  /** A natural number, in seven bits per byte. Throws a RangeError for any other. */
  natural(value: number): void {
    if (!(value >= 0) || !Number.isSafeInteger(value)) throw new RangeError(`not a natural number: ${value}`)
    this.#reserve(NUMBER_SIZE)
    let rest = value
    while (rest >= 0x8000_0000) {
      this.#bytes[this.#end++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest >= 128) {
      this.#bytes[this.#end++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#end++] = rest
  }

  /** Any number, in few bytes where it is a small integer. */
  number(value: number): void {
    const size = Math.abs(value)
    if (size <= LARGEST && Number.isInteger(value)) {
      this.natural(size * 4 + (value < 0 ? NEGATIVE : INTEGER))
      return
    }
    this.natural(FLOAT)
    this.#reserve(8)
    this.#end = this.#bytes.writeDoubleLE(value, this.#end)
  }

  text(value: string): void {
    this.natural(Buffer.byteLength(value))
    this.#reserve(value.length * UTF8_SIZE)
    this.#end += this.#bytes.write(value, this.#end)
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }

  /** Leaves room for what is known later, and returns where it is. */
  skip(size: number): number {
    this.#reserve(size)
    this.#end += size
    return this.#end - size
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + size))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

/** Reads what a `ByteWriter` wrote. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  natural(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#position++)
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }

  number(): number {
    const value = this.natural()
    const kind = value % 4
    if (kind === FLOAT) {
      this.#position += 8
      return this.#bytes.readDoubleLE(this.#position - 8)
    }
    const size = Math.floor(value / 4)
    return kind === NEGATIVE ? -size : size
  }

  text(): string {
    return this.slice(this.natural()).toString()
  }

  slice(length: number): Buffer {
    if (this.#position + length > this.#bytes.length) throw new RangeError('the bytes end within a value')
    this.#position += length
    return this.#bytes.subarray(this.#position - length, this.#position)
  }
}
