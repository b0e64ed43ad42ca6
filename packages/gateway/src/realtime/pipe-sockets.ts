import { JsonScanner } from '@tidegate/contract'
import { countMembers, parseJsonObject, type JsonObject } from '@tidegate/dialects'
import type { UpstreamSocket } from '@tidegate/providers'
import type { WebSocket } from 'ws'
import type { ApiRequest } from '../http/api-request.ts'

/** More bytes are buffered for a client only when it has stopped reading. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024
const PING_MS = 30_000

/** How long the usage of a cancelled response is waited for. */
const USAGE_MS = 10_000
const CANCEL = JSON.stringify({ type: 'response.cancel' })

const UNREADABLE = JSON.stringify({
  type: 'error',
  error: { type: 'invalid_request_error', code: 'invalid_event', message: 'An event must be a JSON object.' },
})

/** Ends a session: the last event for the client, and the reason of the close frame. */
export interface SessionEnd {
  readonly event: object
  readonly reason: string
}

interface SessionListeners {
  /** How a session with a revoked credential ends; undefined while it is valid. */
  revoked(): SessionEnd | undefined
  /** Handles an event of the client. Returns the events to send in its place. Later events wait. */
  fromClient(event: JsonObject): Promise<readonly JsonObject[] | SessionEnd>
  /** Handles an event of the provider. Later events wait. */
  fromProvider(event: JsonObject): Promise<SessionEnd | undefined>
  /** Whether the provider produces a response, or will. */
  isResponding(): boolean
  /** The event as the client may see it: the same object when nothing is hidden. */
  present(event: JsonObject): JsonObject
  /** The provider's close reason as the client may see it. */
  presentReason(reason: string): string
}

/**
 * Forwards messages both ways, in order, until a side or a listener ends the session. Resolves when both are closed.
 */
export function pipeSockets(
  client: WebSocket,
  provider: UpstreamSocket,
  { signal, stopped }: Pick<ApiRequest, 'signal' | 'stopped'>,
  { revoked, fromClient, fromProvider, isResponding, present, presentReason }: SessionListeners,
): Promise<void> {
  return new Promise((resolve) => {
    let providerQueue = Promise.resolve()
    let clientQueue = Promise.resolve()
    let isOver = false
    let hasLeft = false
    let usageTimer: NodeJS.Timeout | undefined
    const end = (code: number, reason: string) => {
      if (isOver) return
      isOver = true
      clearInterval(pings)
      clearTimeout(usageTimer)
      stopped.removeEventListener('abort', stop)
      signal.removeEventListener('abort', cut)
      // Only some codes may be sent. The others mean that a connection broke.
      const closeCode = code === 1000 || (code >= 3000 && code < 5000) ? code : 1000
      provider.close(closeCode, shorten(reason))
      client.close(code === 1001 ? 1001 : closeCode, shorten(reason))
      void Promise.all([providerQueue, clientQueue]).then(() => resolve())
    }
    const stop = () => end(1001, 'going away')
    const cut = () => {
      const sessionEnd = revoked()
      if (sessionEnd) finish(sessionEnd)
      else disconnect(1000, '')
    }
    const pings = setInterval(() => client.ping(), PING_MS)
    stopped.addEventListener('abort', stop, { once: true })
    signal.addEventListener('abort', cut, { once: true })
    if (stopped.aborted) stop()
    else if (signal.aborted) cut()

    let pending = 0
    let pendingBytes = 0
    client.on('message', (data: Buffer, isBinary) => {
      if (isOver || hasLeft) return
      client.pause() // until all messages are sent: backpressure on the client
      pending += 1
      pendingBytes += data.length
      if (pendingBytes > MAX_PENDING_BYTES) return end(1008, 'too much at once')
      clientQueue = clientQueue
        .then(() => forward(data, isBinary))
        .catch(() => end(1000, 'the session cannot be billed'))
        .then(() => {
          pending -= 1
          pendingBytes -= data.length
          if (pending === 0) client.resume()
        })
    })
    async function forward(data: Buffer, isBinary: boolean): Promise<void> {
      if (isOver) return
      const { event, text } = isBinary ? NOTHING : parseClientEvent(data)
      // The provider may understand what we cannot parse, and then use credit that is not reserved.
      if (!event) return client.send(UNREADABLE)
      const events = await fromClient(event)
      if (isOver) return
      if ('reason' in events) return finish(events)
      for (const sent of events) provider.send(sent === event ? text : JSON.stringify(sent))
      if (provider.waitingBytes > MAX_PENDING_BYTES) end(1008, 'too much at once')
    }
    function finish({ event, reason }: SessionEnd): void {
      client.send(JSON.stringify(event))
      end(1000, reason)
    }
    /** Cancels the response of a client that left. Its usage arrives a moment later. */
    function disconnect(code: number, reason: string): void {
      if (isOver || hasLeft) return
      hasLeft = true
      void clientQueue.then(() => {
        if (isOver) return
        if (!isResponding()) return end(code, reason)
        usageTimer = setTimeout(() => end(code, reason), USAGE_MS)
        provider.send(CANCEL)
      })
    }
    client.on('error', () => disconnect(1000, ''))
    client.on('close', (code, reason) => disconnect(code, reason.toString('utf8')))
    provider.onMessage((data) => {
      // In sequence: messages after a response wait until it is covered.
      providerQueue = providerQueue.then(async () => {
        if (isOver) return
        const event = typeof data === 'string' ? parseEvent(data) : undefined
        const sessionEnd = event && (await fromProvider(event))
        if (hasLeft) return isResponding() ? undefined : end(1000, '')
        const shown = event && present(event)
        client.send(shown === event ? data : JSON.stringify(shown))
        if (sessionEnd) finish(sessionEnd)
        else if (client.bufferedAmount > MAX_PENDING_BYTES) end(1008, 'too slow')
      })
      // Usage that cannot be billed ends the session, not the process.
      providerQueue = providerQueue.catch(() => end(1000, 'the session cannot be billed'))
    })
    provider.onClose((code, reason) => void providerQueue.then(() => end(code, presentReason(reason))))
  })
}

/** An event with audio is one long string. The largest of the others are lists of tools. */
const MAX_MEMBERS = 10_000
const SHORT_EVENT = 64 * 1024

interface ClientEvent {
  /** Undefined for anything but a JSON object, and for an object that would take long to parse. */
  readonly event: JsonObject | undefined
  readonly text: string
}

const NOTHING: ClientEvent = { event: undefined, text: '' }

/** An event and its text. The provider must read it as we do, even if it uses the first of two equal names. */
function parseClientEvent(data: Buffer): ClientEvent {
  const scanner = new JsonScanner()
  if (scanner.push(data) || scanner.members > MAX_MEMBERS) return NOTHING
  const text = data.toString('utf8')
  const event = parseJsonObject(text)
  return { event, text: event && countMembers(event) < scanner.members ? JSON.stringify(event) : text }
}

/** Undefined for anything but a JSON object, and for an object that would take long to parse. */
function parseEvent(text: string): JsonObject | undefined {
  if (text.length <= SHORT_EVENT) return parseJsonObject(text)
  const scanner = new JsonScanner()
  return scanner.push(Buffer.from(text)) || scanner.members > MAX_MEMBERS ? undefined : parseJsonObject(text)
}

/** The limit of a close reason is 123 bytes. */
function shorten(reason: string): string {
  return Buffer.from(reason).subarray(0, 120).toString('utf8')
}
