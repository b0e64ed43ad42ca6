const LF = 10
const CR = 13

export interface FrameSplitter {
  /** Frames that this chunk completes, each with its blank line. */
  push(chunk: Uint8Array): Uint8Array[]
  /** Remaining bytes of a stream that ends without a blank line. */
  flush(): Uint8Array | undefined
}

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}

/**
 * Splits a server-sent event stream at its blank lines without changing a byte. Works on bytes, so a chunk may end
 * inside a character. LF, CRLF and CR all end a line.
 */
export function createFrameSplitter({ maxFrameBytes }: { maxFrameBytes: number }): FrameSplitter {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let atLineStart = true
  let afterCarriageReturn = false

  return {
    push(chunk) {
      const frames: Uint8Array[] = []
      let start = 0
      // Second half of a line end that was already counted.
      let at = afterCarriageReturn && chunk[0] === LF ? 1 : 0
      if (chunk.length > 0) afterCarriageReturn = false
      // `indexOf` is much faster than a loop over every byte.
      let nextLf = chunk.indexOf(LF, at)
      let nextCr = chunk.indexOf(CR, at)
      while (nextLf !== -1 || nextCr !== -1) {
        const isCr = nextCr !== -1 && (nextLf === -1 || nextCr < nextLf)
        const end = isCr ? nextCr : nextLf
        const isBlank = atLineStart && end === at
        at = end + 1
        atLineStart = true
        if (isCr && chunk[at] === LF) at += 1
        else if (isCr && at === chunk.length) afterCarriageReturn = true
        if (isBlank) {
          frames.push(join(pending, pendingBytes, chunk.subarray(start, at)))
          pending = []
          pendingBytes = 0
          start = at
        }
        if (nextLf < at) nextLf = findNext(chunk, LF, nextLf, at)
        if (nextCr < at) nextCr = findNext(chunk, CR, nextCr, at)
      }
      if (at < chunk.length) atLineStart = false
      if (start < chunk.length) {
        pending.push(chunk.subarray(start))
        pendingBytes += chunk.length - start
      }
      if (pendingBytes > maxFrameBytes) throw new FrameTooLarge(`an event is larger than ${maxFrameBytes} bytes`)
      return frames
    },
    flush() {
      if (pendingBytes === 0) return undefined
      const rest = join(pending, pendingBytes, new Uint8Array(0))
      pending = []
      pendingBytes = 0
      return rest
    },
  }
}

/** Next position of a byte. Does not search again after -1. */
function findNext(chunk: Uint8Array, byte: number, last: number, from: number): number {
  return last === -1 ? -1 : chunk.indexOf(byte, from)
}

function join(parts: readonly Uint8Array[], partsBytes: number, last: Uint8Array): Uint8Array {
  if (parts.length === 0) return last
  const whole = new Uint8Array(partsBytes + last.length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  whole.set(last, at)
  return whole
}
