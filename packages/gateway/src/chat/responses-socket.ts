import { IncomingMessage } from 'node:http'
import { ApiError } from '@tidegate/contract'
import {
  asJsonObject,
  asJsonObjects,
  asText,
  type JsonObject,
  parseJsonObject,
  portableItem,
  readInputItems,
} from '@tidegate/dialects'
import type { RawData, WebSocket } from 'ws'
import type { ApiRequest } from '../http/api-request.ts'
import { describeError } from '../http/error-response.ts'
import type { EventSink } from '../http/event-writer.ts'

/** Serves one request of a socket, and sends its response to the sink. Never throws. */
export type ServeCreate = (request: IncomingMessage, body: Buffer, sink: EventSink) => RunningCreate

export interface RunningCreate {
  readonly done: Promise<void>
  abort(): void
}

/** As at OpenAI. Clients connect again. */
const MAX_LIFE_MS = 60 * 60_000
const PING_EVERY_MS = 30_000
/** Requests of a socket that wait for those before them. */
const MAX_WAITING = 32
const MAX_LANES = 8
/** A client that has not read this much is waited for. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** Responses that only the connection remembers. */
const MAX_REMEMBERED = 16
const MAX_REMEMBERED_CHARACTERS = 32 * 1024 * 1024

const POLICY_VIOLATION = 1008
const UNSUPPORTED_DATA = 1003
const SERVICE_RESTART = 1012
const NORMAL = 1000

interface SocketOptions {
  readonly serve: ServeCreate
  readonly now: () => number
  readonly lifeMs?: number
}

/** Serves the Responses API over a WebSocket until it closes. Each `response.create` is a request of its own. */
export function serveResponsesSocket(
  socket: WebSocket,
  incoming: ApiRequest,
  { serve, now, lifeMs = MAX_LIFE_MS }: SocketOptions,
): Promise<void> {
  const lanes = new Map<string, Promise<void>>()
  const running = new Set<RunningCreate>()
  const memory = new ConnectionMemory()
  let waiting = 0
  let isExpired = false

  function send(event: JsonObject, streamId?: string): void {
    socket.send(JSON.stringify(streamId === undefined ? event : { ...event, stream_id: streamId }))
  }

  function sendError(failure: ApiError, streamId?: string): void {
    const { status, error } = describeError(failure, incoming.language)
    send({ type: 'error', status, error }, streamId)
  }

  function expire(): void {
    isExpired = true
    if (running.size > 0) return
    sendError(new ApiError('websocket_connection_limit_reached'))
    socket.close(NORMAL)
  }

  function receive(data: RawData, isBinary: boolean): void {
    if (isBinary) return socket.close(UNSUPPORTED_DATA, 'text messages only')
    const message = parseJsonObject((data as Buffer).toString('utf8'))
    const streamId = asText(message?.stream_id) || undefined
    if (isExpired) return sendError(new ApiError('websocket_connection_limit_reached'), streamId)
    switch (message?.type) {
      case 'response.create':
        return enqueue(message, streamId)
      case 'response.steer':
        return send({ type: 'response.steer.failed', error: { code: 'steering_not_supported' } }, streamId)
      default:
        return sendError(
          new ApiError('invalid_text_request', { reason: 'a message is JSON of the type response.create' }),
          streamId,
        )
    }
  }

  /** Requests with the same stream id are served one after the other. */
  function enqueue(message: JsonObject, streamId: string | undefined): void {
    const lane = streamId ?? ''
    const before = lanes.get(lane)
    if (waiting >= MAX_WAITING || (!before && lanes.size >= MAX_LANES)) {
      return sendError(new ApiError('websocket_queue_full', {}), streamId)
    }
    waiting += 1
    const serving = (before ?? Promise.resolve()).then(async () => {
      waiting -= 1
      if (socket.readyState === socket.OPEN) await create(message, streamId)
      if (lanes.get(lane) === serving) lanes.delete(lane)
      if (isExpired && running.size === 0) expire()
    })
    lanes.set(lane, serving)
  }

  async function create(message: JsonObject, streamId: string | undefined): Promise<void> {
    const { type: _type, stream_id: _stream, background: _background, generate, ...fields } = message
    const body = memory.resolve(fields)
    if (generate === false) return prepare(body, streamId)
    const request = serve(httpRequestOf(incoming.request), Buffer.from(JSON.stringify({ ...body, stream: true })), {
      event(data) {
        memory.observe(body, data)
        socket.send(streamId === undefined ? data : withStreamId(data, streamId))
        return socket.bufferedAmount > MAX_UNREAD_BYTES ? drained(socket) : undefined
      },
      body: (status, headers, text) => {
        const error = asJsonObject(parseJsonObject(text)?.error) ?? { message: text }
        send({ type: 'error', status, error, headers: { ...headers } }, streamId)
      },
      end() {},
    })
    running.add(request)
    await request.done
    running.delete(request)
  }

  /** The response to a request that only prepares state: it has an id, and nothing is generated. */
  function prepare(body: JsonObject, streamId: string | undefined): void {
    const id = `resp_${incoming.requestId}_${(preparedCount += 1)}`
    const response = {
      id,
      object: 'response',
      created_at: Math.floor(now() / 1000),
      model: body.model ?? null,
      output: [],
      error: null,
      incomplete_details: null,
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      store: false,
    }
    memory.add(id, readInputItems(body.input))
    send({ type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } }, streamId)
    send({ type: 'response.completed', sequence_number: 1, response: { ...response, status: 'completed' } }, streamId)
  }
  let preparedCount = 0

  return new Promise((resolve) => {
    const life = setTimeout(expire, lifeMs)
    const ping = setInterval(() => socket.ping(), PING_EVERY_MS)
    const stop = () => {
      if (incoming.revokedBy) {
        sendError(incoming.revokedBy)
        socket.close(POLICY_VIOLATION, 'access revoked')
      } else socket.close(SERVICE_RESTART, 'restarting')
    }
    incoming.signal.addEventListener('abort', stop, { once: true })
    socket.on('message', receive)
    socket.on('error', () => socket.terminate())
    socket.once('close', () => {
      clearTimeout(life)
      clearInterval(ping)
      incoming.signal.removeEventListener('abort', stop)
      for (const request of running) request.abort()
      void Promise.allSettled([...running].map(({ done }) => done)).then(() => resolve())
    })
    if (incoming.isAborted) stop()
  })
}

/** The request that a message stands for: a POST with the headers of the handshake. */
function httpRequestOf({ socket, headers }: IncomingMessage): IncomingMessage {
  const request = new IncomingMessage(socket)
  request.method = 'POST'
  request.url = '/v1/responses'
  const kept = Object.entries(headers).filter(([name]) => !/^(upgrade|connection|sec-websocket-.*)$/.test(name))
  request.headers = { ...Object.fromEntries(kept), 'content-type': 'application/json' }
  return request
}

function withStreamId(data: string, streamId: string): string {
  return `${data.trimEnd().slice(0, -1)},"stream_id":${JSON.stringify(streamId)}}`
}

function drained(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    // The callback of a ping follows everything that was sent before it.
    socket.ping(undefined, undefined, () => resolve())
  })
}

/** Responses with `store: false`: only the connection that received them can continue them. */
class ConnectionMemory {
  readonly #threads = new Map<string, readonly JsonObject[]>()

  /** A request with the whole thread, if the connection remembers it. */
  resolve(body: JsonObject): JsonObject {
    const { previous_response_id: previous, ...rest } = body
    const thread = this.#threads.get(asText(previous))
    return thread ? { ...rest, input: [...thread, ...readInputItems(body.input)] } : body
  }

  /** Remembers the response that an event completes. */
  observe(body: JsonObject, data: string): void {
    if (body.store !== false || !data.includes('"response.')) return
    const event = parseJsonObject(data)
    if (event?.type !== 'response.completed' && event?.type !== 'response.incomplete') return
    const response = asJsonObject(event.response) ?? {}
    this.add(asText(response.id), [...readInputItems(body.input), ...asJsonObjects(response.output).flatMap(keptItem)])
  }

  add(id: string, items: readonly JsonObject[]): void {
    if (JSON.stringify(items).length > MAX_REMEMBERED_CHARACTERS) return
    this.#threads.set(id, items)
    const [oldest] = this.#threads.keys()
    if (this.#threads.size > MAX_REMEMBERED) this.#threads.delete(oldest!)
  }
}

/** Reasoning that its provider encrypted can be sent back as it is. */
function keptItem(item: JsonObject): JsonObject[] {
  if (item.type === 'reasoning' && asText(item.encrypted_content) !== '') return [item]
  const portable = portableItem(item)
  return portable ? [portable] : []
}
