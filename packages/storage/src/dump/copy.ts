import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Client, Submittable } from 'pg'

/** Members of a `pg` connection that its types do not declare. */
interface PgConnection {
  readonly stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const CHUNK_BYTES = 256 * 1024
/** When this many chunks wait for the reader, reading from the server pauses. */
const MAX_QUEUED_CHUNKS = 8

/**
 * Yields the output of `copy … to stdout` in chunks, at the speed of the reader. Stopping early closes the connection.
 */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Buffer> {
  const ready: Buffer[] = []
  let rows: Buffer[] = []
  let bytes = 0
  const end: { reached: boolean; error?: Error } = { reached: false }
  let wake = () => {}
  const flush = () => {
    if (bytes > 0) ready.push(Buffer.concat(rows, bytes))
    rows = []
    bytes = 0
    wake()
  }
  submit(client, statement, {
    onData(row, connection) {
      rows.push(Buffer.from(row)) // a copy, because the driver reuses its buffer
      bytes += row.byteLength
      if (bytes < CHUNK_BYTES) return
      flush()
      if (ready.length >= MAX_QUEUED_CHUNKS) connection.stream.pause()
    },
    onEnd(error) {
      Object.assign(end, { reached: true, error })
      flush()
    },
  })
  const { stream } = connectionOf(client)
  try {
    for (;;) {
      const chunk = ready.shift()
      if (chunk !== undefined) yield chunk
      else if (end.error) throw end.error
      else if (end.reached) return
      else {
        stream.resume()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    if (!end.reached) stream.destroy() // the remaining output may be large
  }
}

/** Feeds `copy … from stdin` and returns the number of rows. When the source fails, the statement fails. */
export async function copyIn(client: Client, statement: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let failed = false
  submit(client, statement, {
    onReady(connection) {
      send(connection).catch((error: Error) => {
        connection.sendCopyFail(error.message)
        reject(error)
      })
    },
    onEnd(error, rowCount) {
      failed = error !== undefined
      if (error) reject(error)
      else resolve(rowCount)
    },
  })
  return promise

  async function send(connection: PgConnection): Promise<void> {
    for await (const chunk of chunks) {
      if (failed) return // the server has already reported an error
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), promise.catch(() => {})])
    }
    connection.endCopyFrom()
  }
}

interface CopyHandler {
  onReady?(connection: PgConnection): void
  onData?(row: Uint8Array, connection: PgConnection): void
  onEnd(error: Error | undefined, rows: number): void
}

/** The driver does not support COPY, but accepts custom queries that handle the protocol messages. */
function submit(client: Client, statement: string, { onReady, onData, onEnd }: CopyHandler): void {
  let rows = 0
  const query = {
    submit: (connection: PgConnection) => connection.query(statement),
    handleCopyInResponse: (connection: PgConnection) => onReady?.(connection),
    handleCopyData: ({ chunk }: { chunk: Uint8Array }, connection: PgConnection) => onData?.(chunk, connection),
    handleCommandComplete: ({ text }: { text: string }) => (rows = Number(text.split(' ')[1])),
    handleReadyForQuery: () => onEnd(undefined, rows),
    handleError: (error: Error) => onEnd(error, 0),
  }
  client.query(query as unknown as Submittable)
}

function connectionOf(client: Client): PgConnection {
  return (client as unknown as { connection: PgConnection }).connection
}
