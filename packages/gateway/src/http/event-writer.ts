import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { createFrameReader } from '@tidegate/dialects'
import { ResponseWriter } from './response-writer.ts'

/** Receives the events of a response that is not written to an HTTP connection. */
export interface EventSink {
  /** The data of one event. Resolves when the receiver can take more; `undefined` when it can now. */
  event(data: string): Promise<void> | undefined
  /** A whole body, such as an error before the stream. */
  body(status: number, headers: OutgoingHttpHeaders, text: string): void
  /** Nothing follows. */
  end(): void
}

/** Writes a response to a sink, event by event. */
export class EventWriter extends ResponseWriter {
  readonly #sink: EventSink
  readonly #frames = createFrameReader({ decode: (bytes) => Buffer.from(bytes).toString('utf8') })
  #isStreaming = false
  #isOver = false
  #isAbandoned = false

  constructor(sink: EventSink) {
    super(new ServerResponse(new IncomingMessage(new Socket())))
    this.#sink = sink
  }

  override get isClosed(): boolean {
    return this.#isAbandoned
  }

  override get streaming(): boolean {
    return this.#isStreaming
  }

  override openStream(): void {
    this.#isStreaming = true
  }

  override openRaw(): void {
    this.#isStreaming = true
  }

  override send(status: number, headers: OutgoingHttpHeaders, body: Uint8Array | string): void {
    if (this.#isOver) return
    this.#sink.body(status, headers, Buffer.from(body).toString('utf8'))
    this.#finish()
  }

  override sendList(status: number, list: string[], body: Uint8Array | string): void {
    const headers: OutgoingHttpHeaders = {}
    for (let at = 0; at < list.length; at += 2) headers[list[at]!] = list[at + 1]!
    this.send(status, headers, body)
  }

  override write(data: Uint8Array | string): Promise<void> | undefined {
    this.openStream()
    if (this.#isOver) return undefined
    let ready: Promise<void> | undefined
    for (const { event } of this.#frames.push(Buffer.from(data))) if (event) ready = this.#sink.event(event.data)
    return ready
  }

  override end(last: Uint8Array | string): void {
    if (last.length > 0) void this.write(last)
    this.#finish()
  }

  override cut(): void {
    this.#finish()
  }

  override abandon(): void {
    this.#isAbandoned = true
    this.#finish()
  }

  /** The receiver has its own. */
  override keepAlive(): void {}

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink.end()
  }
}
