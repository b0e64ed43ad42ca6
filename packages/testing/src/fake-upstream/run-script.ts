import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { ProviderError } from './checks.ts'
import { amazonFrame, checkCloud } from './cloud-requests.ts'
import { composeResponse } from './compose-response.ts'
import { frameEvents } from './frame-events.ts'
import type {
  Failure,
  ReceivedRequest,
  Script,
  UpstreamEvent,
  UpstreamStream,
  UpstreamState,
  Protocol,
} from './types.ts'

/** A chat request and its connection. */
interface Exchange {
  readonly protocol: Protocol
  readonly state: UpstreamState
  readonly received: ReceivedRequest
  readonly response: ServerResponse
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal
}

/** Handles one request by its script. Throws an AbortError when the client disconnects. */
export async function runScript(script: Script, exchange: Exchange): Promise<void> {
  const { protocol, state, received, disconnected } = exchange
  if (script.hang) return await untilDisconnected(disconnected)
  await pause(script.headersAfterMs, disconnected)
  await script.headersAfter

  if (script.body !== undefined) return await sendBody(script.body, script, exchange)
  const failure = failureOf(script)
  if (failure !== undefined) return await sendBody(errorBody(failure, exchange), script, exchange)
  // Scripted failures come before validation, as a failing provider does not read the request.
  const rejection = rejectionOf(exchange)
  if (rejection !== undefined) return await reject(rejection, exchange)

  const request = protocol.read(received)
  const composed = composeResponse(request, script, received.sequence)
  received.sent.counts = composed.counts
  if (!request.stream) {
    received.sent.text = composed.text
    received.sent.tokens = composed.counts.output
    return await sendBody(protocol.responseBody(composed, state, script.usage), script, exchange)
  }
  const { usage: placement, usageOnFinish, deltaLength } = script
  const options = { placement, usageOnFinish, deltaLength }
  const stream = withError(protocol.responseStream(composed, state, options), script, protocol)
  if (protocol.isEventStream?.(received) === false) return await sendBody(asArray(stream), script, exchange)
  await sendStream(stream, script, exchange)
}

function failureOf({ status, errorInside }: Script) {
  const failing = errorInside?.status ?? status
  if (failing === undefined || failing < 400) return undefined
  return { status: failing, message: errorInside?.message ?? `The fake upstream was set to return ${failing}.` }
}

function errorBody(failure: Failure, { protocol, received }: Exchange): unknown {
  return received.cloud === 'bedrock' ? { message: failure.message } : protocol.errorBody(failure)
}

function rejectionOf({ protocol, state, received }: Exchange): ProviderError | undefined {
  try {
    checkCloud(received)
    protocol.check(received, state)
    return undefined
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
}

async function reject(rejection: ProviderError, exchange: Exchange): Promise<void> {
  const { received } = exchange
  received.sent.rejection = rejection.message
  await sendBody(errorBody(rejection.failure, exchange), { status: rejection.failure.status }, exchange)
}

/** Sends a whole body: a completion, an error, or the scripted body. */
async function sendBody(body: unknown, script: Script, { received, response, disconnected }: Exchange): Promise<void> {
  const { sent } = received
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  start(response, sent, script, { 'content-type': 'application/json', 'content-length': String(bytes.length) })
  response.flushHeaders()
  await pause(script.firstEventAfterMs, disconnected)
  if (script.stallAfterEvents !== undefined) return await untilDisconnected(disconnected)

  const part = script.cut === undefined ? bytes : bytes.subarray(0, script.cut.partialBytes ?? bytes.length >> 1)
  const writer = new SocketWriter(response, script.writeSizes)
  await writer.write(part)
  await writer.flush()
  sent.bytes += part.length
  await (script.cut === undefined ? end(response) : cut(response, sent))
}

async function sendStream(stream: UpstreamStream, script: Script, exchange: Exchange): Promise<void> {
  const { received, response, disconnected } = exchange
  const { sent } = received
  const isAmazon = received.cloud === 'bedrock'
  const type = isAmazon ? 'application/vnd.amazon.eventstream' : 'text/event-stream; charset=utf-8'
  start(response, sent, script, { 'content-type': type, 'cache-control': 'no-cache' })
  response.flushHeaders()
  await pause(script.firstEventAfterMs, disconnected)

  const writer = new SocketWriter(response, script.writeSizes)
  const frames = isAmazon
    ? stream.events.map(amazonFrame)
    : frameEvents(stream.events, script.framing, stream.endMark ?? null)
  for (const [index, bytes] of frames.entries()) {
    if (index > 0) await pause(script.betweenEventsMs, disconnected)
    if (index === script.stallAfterEvents) {
      await writer.flush()
      return await untilDisconnected(disconnected)
    }
    if (index === script.cut?.afterEvents) {
      await writer.write(bytes.subarray(0, script.cut.partialBytes ?? 0))
      await writer.flush()
      return await cut(response, sent)
    }
    await writer.write(bytes)
    disconnected.throwIfAborted()
    countSent(sent, bytes, stream.events[index])
  }
  await writer.flush()
  await end(response)
}

function countSent(sent: ReceivedRequest['sent'], bytes: Buffer, event: UpstreamEvent | undefined): void {
  sent.events += 1
  sent.bytes += bytes.length
  sent.text += event?.text ?? ''
  sent.tokens += event?.tokens ?? 0
}

function start(
  response: ServerResponse,
  sent: ReceivedRequest['sent'],
  script: Script,
  headers: Record<string, string>,
): void {
  sent.status = script.errorInside === undefined ? (script.status ?? 200) : 200
  response.writeHead(sent.status, { ...headers, ...script.headers })
}

/** After an error the stream ends without an end mark. */
function withError(stream: UpstreamStream, { errorEvent }: Script, protocol: Protocol): UpstreamStream {
  if (errorEvent === undefined) return stream
  const { afterEvents, data, name, status = 500, message = `The fake upstream fails with ${status}.` } = errorEvent
  const standard = protocol.errorEvent({ status, message })
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const event = data === undefined ? standard : { data: text, name, text: '', tokens: 0 }
  return { events: [...stream.events.slice(0, afterEvents), event] }
}

/** Gemini's stream for clients that did not request server-sent events. */
function asArray({ events }: UpstreamStream): string {
  return `[${events.map(({ data }) => data).join(',\n')}]`
}

async function pause(milliseconds: number | undefined, disconnected: AbortSignal): Promise<void> {
  if (milliseconds !== undefined && milliseconds > 0) await delay(milliseconds, undefined, { signal: disconnected })
  disconnected.throwIfAborted()
}

async function untilDisconnected(disconnected: AbortSignal): Promise<void> {
  if (!disconnected.aborted) await once(disconnected, 'abort')
}

async function end(response: ServerResponse): Promise<void> {
  response.end()
  if (!response.writableFinished && !response.destroyed) {
    await Promise.race([once(response, 'finish'), once(response, 'close')])
  }
}

/** Flushes written data, then resets the connection. */
async function cut(response: ServerResponse, sent: ReceivedRequest['sent']): Promise<void> {
  await new Promise<void>((resolve) => response.write('', () => resolve()))
  sent.outcome = 'cut'
  response.socket?.destroy()
}

/** Writes in the sizes of the script, with backpressure. */
class SocketWriter {
  readonly #response: ServerResponse
  readonly #sizes: readonly number[] | undefined
  #pending = Buffer.alloc(0)
  #turn = 0

  constructor(response: ServerResponse, sizes?: readonly number[]) {
    this.#response = response
    this.#sizes = sizes
  }

  /** With write sizes, an incomplete write waits for more bytes or for `flush`. */
  async write(bytes: Buffer): Promise<void> {
    if (this.#sizes === undefined) return await this.#send(bytes)
    this.#pending = Buffer.concat([this.#pending, bytes])
    while (this.#pending.length >= this.#nextSize()) await this.#sendPiece(this.#nextSize())
  }

  async flush(): Promise<void> {
    if (this.#pending.length > 0) await this.#sendPiece(this.#pending.length)
  }

  #nextSize(): number {
    return this.#sizes![this.#turn % this.#sizes!.length]!
  }

  async #sendPiece(size: number): Promise<void> {
    const piece = this.#pending.subarray(0, size)
    this.#pending = this.#pending.subarray(size)
    this.#turn += 1
    await this.#send(piece)
    // Sends the piece as its own packet: writes in one turn of the event loop share a packet.
    await setImmediate()
  }

  async #send(bytes: Buffer): Promise<void> {
    if (this.#response.destroyed || this.#response.write(bytes)) return
    const over = new AbortController()
    const events = ['drain', 'close'].map((event) => once(this.#response, event, { signal: over.signal }))
    // Removes the listeners of the other event.
    await Promise.race(events).finally(() => over.abort())
  }
}
