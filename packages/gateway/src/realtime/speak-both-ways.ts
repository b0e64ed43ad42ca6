import { parseTree, type Tree } from '@tidegate/dialects'
import type { UpstreamSocket } from '@tidegate/providers'
import type { WebSocket } from 'ws'

/** More than this waits for a client only when it has stopped reading. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024
const PING_MS = 30_000

/** Ends a session: the last event for the client, and the reason of the close frame. */
export interface SessionEnd {
  readonly event: object
  readonly reason: string
}

interface Listeners {
  /** A message of the client's, when it is an event. */
  fromClient(event: Tree): void
  /** One of the vendor's. A promise holds back the messages that follow. */
  fromVendor(event: Tree): Promise<SessionEnd | undefined> | undefined
}

/** Passes everything on both ways, in order, until one side ends it or the listener does. Resolves when both are closed. */
export function speakBothWays(
  client: WebSocket,
  vendor: UpstreamSocket,
  signal: AbortSignal,
  { fromClient, fromVendor }: Listeners,
): Promise<void> {
  return new Promise((resolve) => {
    let order = Promise.resolve()
    let isOver = false
    const end = (code: number, reason: string) => {
      if (isOver) return
      isOver = true
      clearInterval(pings)
      signal.removeEventListener('abort', stop)
      // Only some codes may be sent; the others tell that a connection broke.
      const told = code === 1000 || (code >= 3000 && code < 5000) ? code : 1000
      vendor.close(told, shortened(reason))
      client.close(code === 1001 ? 1001 : told, shortened(reason))
      void order.then(resolve, resolve)
    }
    const stop = () => end(1001, 'going away')
    const pings = setInterval(() => client.ping(), PING_MS)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()

    client.on('message', (data: Buffer, isBinary) => {
      if (isOver) return
      const event = isBinary ? undefined : parseTree(data.toString('utf8'))
      if (event) fromClient(event)
      vendor.send(isBinary ? new Uint8Array(data) : data.toString('utf8'))
      if (vendor.waitingBytes > MOST_WAITING_BYTES) end(1008, 'too much at once')
    })
    client.on('error', () => end(1000, ''))
    client.on('close', (code, reason) => end(code, reason.toString('utf8')))
    vendor.onMessage((data) => {
      // One after the other: what follows an answer waits until that is covered.
      order = order.then(async () => {
        if (isOver) return
        const event = typeof data === 'string' ? parseTree(data) : undefined
        const sessionEnd = event && (await fromVendor(event))
        client.send(data)
        if (sessionEnd) {
          client.send(JSON.stringify(sessionEnd.event))
          end(1000, sessionEnd.reason)
        } else if (client.bufferedAmount > MOST_WAITING_BYTES) end(1008, 'too slow')
      })
      // Counts that cannot be billed end the session, not the process.
      order = order.catch(() => end(1000, 'the session cannot be billed'))
    })
    vendor.onClose((code, reason) => void order.then(() => end(code, reason)))
  })
}

/** A reason may have 123 bytes. */
function shortened(reason: string): string {
  return Buffer.from(reason).subarray(0, 120).toString('utf8')
}
