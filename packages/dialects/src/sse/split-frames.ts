const LF = 10
const CR = 13

export interface FrameSplitter {
  /** The frames that this chunk completes, each with the blank line that ends it. */
  push(chunk: Uint8Array): Uint8Array[]
  /** What is left when the stream ends without a blank line. */
  flush(): Uint8Array | undefined
}

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}

/**
 * Cuts a server-sent event stream at its blank lines and touches no byte: put together again, the frames are the stream.
 * Works below characters, so a chunk may end inside one, and treats LF, CRLF and CR as line ends alike.
 */
export function createFrameSplitter({ maxFrameBytes }: { maxFrameBytes: number }): FrameSplitter {
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let atLineStart = true
  let afterCarriageReturn = false

  return {
    push(chunk) {
      const frames: Uint8Array[] = []
      let start = 0
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (byte === LF && afterCarriageReturn) {
          afterCarriageReturn = false // the second half of a line end that was already counted
          continue
        }
        afterCarriageReturn = byte === CR
        if (byte !== LF && byte !== CR) {
          atLineStart = false
          continue
        }
        if (!atLineStart) {
          atLineStart = true
          continue
        }
        if (byte === CR && chunk[at + 1] === LF) {
          at += 1
          afterCarriageReturn = false
        }
        frames.push(join(kept, keptBytes, chunk.subarray(start, at + 1)))
        kept = []
        keptBytes = 0
        start = at + 1
      }
      if (start < chunk.length) {
        kept.push(chunk.subarray(start))
        keptBytes += chunk.length - start
      }
      if (keptBytes > maxFrameBytes) throw new FrameTooLarge(`an event is larger than ${maxFrameBytes} bytes`)
      return frames
    },
    flush() {
      if (keptBytes === 0) return undefined
      const rest = join(kept, keptBytes, new Uint8Array(0))
      kept = []
      keptBytes = 0
      return rest
    },
  }
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
