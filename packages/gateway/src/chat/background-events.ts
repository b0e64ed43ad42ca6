import { logEvent } from '@tidegate/contract'
import { type JsonObject, parseJsonObject } from '@tidegate/dialects'
import type { EventSink } from '../http/event-writer.ts'
import type { ResponseWriter } from '../http/response-writer.ts'
import type { Ports, ResponseStore, StoredEvents } from '../ports/index.ts'
import type { EventFormat } from './event-format.ts'

/** Events reach the store this often, so that other connections can follow. */
const WRITE_EVERY_MS = 300
/** A client that has not read this much is disconnected. It can resume. */
const MAX_UNREAD_CHARACTERS = 4 * 1024 * 1024
/** A stream with more than this is not stored to its end. */
const MAX_STORED_CHARACTERS = 64 * 1024 * 1024

export interface EventLog {
  readonly store: Pick<ResponseStore, 'addEvents'>
  readonly log: Ports['log']
  readonly format: EventFormat
  readonly userId: number
  readonly id: string
  /** Members that all response objects of the stream have. */
  readonly identity: JsonObject
}

/** The stream of a background response: numbers its events, stores them, and sends them to the first client. */
export class BackgroundEvents implements EventSink {
  readonly #options: EventLog
  /** The client that began the stream. It may leave. */
  #client: ResponseWriter | undefined
  #next = 0
  #unwritten: JsonObject[] = []
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #unread = 0
  #storedCharacters = 0
  #hasEnded = false

  constructor(options: EventLog) {
    this.#options = options
  }

  /** The first events are stored before the client has them, so that it can resume at once. */
  async begin(client: ResponseWriter, response: JsonObject): Promise<void> {
    const { format } = this.#options
    for (const event of format.starts(response)) this.add(event)
    const events = [...this.#unwritten]
    await this.#write()
    this.#client = client
    for (const event of events) this.#send(format.frame(event))
  }

  event(data: string): undefined {
    const event = parseJsonObject(data)
    // The stream began when the response was queued, and `finish` writes how it failed.
    const served = event && this.#options.format.served(event)
    if (served) this.add(served)
  }

  /** A failure before the stream is written by `finish`. */
  body(): void {}
  end(): void {}

  add(event: JsonObject): void {
    if (this.#hasEnded) return
    const { format, identity } = this.#options
    const numbered = format.numbered(event, this.#next, identity)
    this.#next += 1
    this.#hasEnded = format.isEnd(event)
    const frame = format.frame(numbered)
    this.#send(frame)
    this.#storedCharacters += frame.length
    if (this.#storedCharacters > MAX_STORED_CHARACTERS) return
    this.#unwritten.push(numbered)
    this.#timer ??= setTimeout(() => void this.#write(), WRITE_EVERY_MS)
  }

  /** Ends the stream with `response`, if it has no end. */
  async finish(response: JsonObject): Promise<void> {
    this.add(this.#options.format.end(response))
    await this.#write()
    this.#client?.end('')
  }

  #send(frame: string): void {
    const client = this.#client
    if (!client || client.isClosed) return
    this.#unread += frame.length
    const full = client.write(frame)
    if (!full) this.#unread = 0
    else if (this.#unread > MAX_UNREAD_CHARACTERS) client.cut()
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const events = this.#unwritten
    this.#unwritten = []
    const [first] = events
    if (!first) return this.#writing
    const { store, log, userId, id } = this.#options
    const chunk: StoredEvents = { first: this.#next - events.length, events }
    const write = () =>
      store.addEvents(userId, id, chunk).catch((error: unknown) => {
        logEvent(log, 'response.not_stored', { err: error, responseId: id })
      })
    this.#writing = this.#writing.then(write)
    return this.#writing
  }
}
