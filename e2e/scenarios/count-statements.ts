import type { ObserveSent } from '@tidegate/testing'

export interface StatementCounter {
  readonly observe: ObserveSent
  /** Counts from now on. */
  reset(): void
  /** The statements of each second since the first one. */
  perSecond(): number[]
  /** The beginnings of the statements of one second, in order. */
  textsIn(second: number): string[]
}

const QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
/** Type and length of a message. The first message of a connection has no type. */
const HEADER_BYTES = 5
const TEXT_LENGTH = 80

interface Connection {
  rest: Buffer
  /** Prepared statements by name. */
  readonly prepared: Map<string, string>
  bound: string
}

/** Counts the statements that clients send to PostgreSQL: simple queries, and executions of prepared ones. */
export function countStatements(): StatementCounter {
  const connections = new WeakMap<object, Connection>()
  let sent: { at: number; text: string }[] = []
  const add = (text: string) => void sent.push({ at: performance.now(), text })

  function readMessage(connection: Connection, type: number, body: Buffer): void {
    if (type === QUERY) add(readTexts(body, 1)[0]!)
    else if (type === PARSE) {
      const [name, text] = readTexts(body, 2)
      connection.prepared.set(name!, text!)
    } else if (type === BIND) connection.bound = connection.prepared.get(readTexts(body, 2)[1]!) ?? ''
    else if (type === EXECUTE) add(connection.bound)
  }

  return {
    observe(key, piece) {
      const known = connections.get(key)
      // The first message: its length, and the version and options of the client.
      const connection = known ?? { rest: piece.subarray(0, 0), prepared: new Map<string, string>(), bound: '' }
      connections.set(key, connection)
      const bytes = known ? Buffer.concat([known.rest, piece]) : piece.subarray(piece.readUInt32BE(0))
      let position = 0
      while (bytes.length - position >= HEADER_BYTES) {
        const end = position + 1 + bytes.readUInt32BE(position + 1)
        if (end > bytes.length) break
        readMessage(connection, bytes[position]!, bytes.subarray(position + HEADER_BYTES, end))
        position = end
      }
      connection.rest = bytes.subarray(position)
    },
    reset: () => void (sent = []),
    perSecond() {
      const first = sent[0]?.at ?? 0
      const counts: number[] = []
      for (const { at } of sent) {
        const second = Math.floor((at - first) / 1000)
        counts[second] = (counts[second] ?? 0) + 1
      }
      return Array.from(counts, (count) => count ?? 0)
    },
    textsIn(second) {
      const from = (sent[0]?.at ?? 0) + second * 1000
      return sent.filter(({ at }) => at >= from && at < from + 1000).map(({ text }) => text)
    },
  }
}

/** Texts that end with a zero byte. */
function readTexts(body: Buffer, count: number): string[] {
  const texts: string[] = []
  for (let position = 0; texts.length < count;) {
    const end = body.indexOf(0, position)
    texts.push(body.toString('utf8', position, end).replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH))
    position = end + 1
  }
  return texts
}
