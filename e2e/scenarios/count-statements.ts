import type { ObserveSent } from '@tidegate/testing'

export interface StatementCounter {
  readonly observe: ObserveSent
  /** Counts from now on. */
  reset(): void
  /** The statements of each second since the first one. */
  perSecond(): number[]
}

/** A simple query, and the execution of a prepared one. */
const QUERY = 'Q'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
/** Type and length of a message. The first message of a connection has no type. */
const HEADER_BYTES = 5

/** Counts the statements that clients send to PostgreSQL. */
export function countStatements(): StatementCounter {
  const rests = new WeakMap<object, Buffer>()
  let times: number[] = []

  function readMessages(bytes: Buffer): Buffer {
    let position = 0
    while (bytes.length - position >= HEADER_BYTES) {
      const end = position + 1 + bytes.readUInt32BE(position + 1)
      if (end > bytes.length) break
      if (bytes[position] === QUERY || bytes[position] === EXECUTE) times.push(performance.now())
      position = end
    }
    return bytes.subarray(position)
  }

  return {
    observe(connection, piece) {
      const rest = rests.get(connection)
      // The first message: its length, and the version and options of the client.
      const bytes = rest ? Buffer.concat([rest, piece]) : piece.subarray(piece.readUInt32BE(0))
      rests.set(connection, readMessages(bytes))
    },
    reset: () => void (times = []),
    perSecond() {
      const first = times[0] ?? 0
      const counts: number[] = []
      for (const time of times) {
        const second = Math.floor((time - first) / 1000)
        counts[second] = (counts[second] ?? 0) + 1
      }
      return Array.from(counts, (count) => count ?? 0)
    },
  }
}
