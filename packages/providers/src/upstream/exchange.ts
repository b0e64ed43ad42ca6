import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Deadlines, UpstreamExchange, UpstreamResponse } from './types.ts'
import { DEADLINES, type Limited } from './deadlines.ts'
import { failureFromClientError, FAILURES, type UpstreamFailure } from './failure.ts'

/** Buffered bytes at which the provider is paused. */
const HIGH_WATER_BYTES = 64 * 1024
/** After the last event, the provider has this long to end the response, so that the connection can be reused. */
const FINISH_MS = 1000

interface Waiting<Value> {
  resolve(value: Value): void
  reject(failure: UpstreamFailure): void
}

/**
 * One request and its response: undici pushes, the reader pulls. Ensures the order (headers, body, end or failure, each
 * at most once), the deadlines, and bounded buffers.
 */
export class Exchange implements Dispatcher.DispatchHandler, UpstreamExchange, Limited {
  status = 0
  headers: IncomingHttpHeaders = {}
  endsAt = 0

  #controller: Dispatcher.DispatchController | undefined
  #queue: Uint8Array[] = []
  #queuedBytes = 0
  #headersReader: Waiting<UpstreamResponse> | undefined
  #wholeReader: Waiting<Uint8Array | undefined> | undefined
  #reader: { wake(): void; reject(failure: UpstreamFailure): void } | undefined
  #failure: UpstreamFailure | undefined
  #ended = false
  #discarding = false
  #isTimed = false
  #lateFailure: () => UpstreamFailure = FAILURES.firstByte
  readonly #deadlines: Deadlines
  #idleMs: number
  #signal: AbortSignal | undefined
  #onAbort: (() => void) | undefined

  constructor(deadlines: Deadlines, signal?: AbortSignal) {
    this.#deadlines = deadlines
    this.#idleMs = deadlines.idleMs
    this.#limit(deadlines.connectMs + deadlines.firstByteMs, FAILURES.firstByte)
    if (!signal) return
    this.#signal = signal
    this.#onAbort = () => this.abort()
    signal.addEventListener('abort', this.#onAbort, { once: true })
    if (signal.aborted) this.abort()
  }

  get bufferedBytes(): number {
    return this.#queuedBytes
  }

  receiveHeaders(): Promise<UpstreamResponse> {
    if (this.status > 0) return Promise.resolve(this)
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#headersReader = { resolve, reject }
    })
  }

  receiveWhole(): Promise<Uint8Array | undefined> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#wholeReader = { resolve, reject }
      if (this.#ended) this.#resolveWhole(this.#take() ?? NO_BYTES)
      else if (this.status > 0 && !this.#mayBeWhole()) this.#resolveWhole(undefined)
    })
  }

  /** An error and a compressed body are read by other code. */
  #mayBeWhole(): boolean {
    const { status, headers } = this
    return status >= 200 && status <= 299 && headers['content-encoding'] === undefined && !this.#controller?.paused
  }

  #resolveWhole(body: Uint8Array | undefined): void {
    const reader = this.#wholeReader
    this.#wholeReader = undefined
    reader?.resolve(body)
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#queue.length > 0) return Promise.resolve(this.#take())
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#ended) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      // Waits one microtask: undici delivers received chunks one by one, and one read returns all of them.
      this.#reader = { wake: () => queueMicrotask(() => resolve(this.#take())), reject }
    })
  }

  /** Returns everything that is buffered, in one piece. */
  #take(): Uint8Array | undefined {
    const queue = this.#queue
    const taken = queue.length > 1 ? Buffer.concat(queue, this.#queuedBytes) : queue[0]
    if (taken !== undefined) this.#queue = []
    this.#queuedBytes = 0
    if (this.#controller?.paused) this.#resume()
    return taken
  }

  limitSilence(milliseconds: number): void {
    this.#idleMs = milliseconds
    // There is no limit while the provider is paused; it starts when reading resumes.
    if (this.#isTimed && !this.#discarding) this.#limit(milliseconds, FAILURES.idle)
  }

  abort(): void {
    this.#fail(FAILURES.aborted)
  }

  finish(): void {
    if (this.#ended || this.#failure) return
    this.#discarding = true
    this.#queue = []
    this.#queuedBytes = 0
    this.#limit(FINISH_MS, FAILURES.aborted)
    this.#controller?.resume()
  }

  onDeadline(): void {
    this.#isTimed = false
    this.#fail(this.#lateFailure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Aborted while connecting.
    if (this.#failure) controller.abort(this.#failure)
    else this.#limit(this.#deadlines.firstByteMs, FAILURES.firstByte)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.status = status
    this.headers = headers
    this.#limit(this.#idleMs, FAILURES.idle)
    this.#headersReader?.resolve(this)
    this.#headersReader = undefined
    if (this.#wholeReader && !this.#mayBeWhole()) this.#resolveWhole(undefined)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#failure || this.#discarding || chunk.length === 0) return
    this.endsAt = DEADLINES.endOf(this.#idleMs)
    this.#queue.push(chunk)
    this.#queuedBytes += chunk.length
    this.#reader?.wake()
    this.#reader = undefined
    if (this.#queuedBytes >= HIGH_WATER_BYTES) {
      controller.pause()
      this.#unlimit() // the provider is paused, so its silence is not a timeout
      this.#resolveWhole(undefined)
    }
  }

  onResponseEnd(): void {
    this.#ended = true
    this.#close()
    if (this.#wholeReader) this.#resolveWhole(this.#take() ?? NO_BYTES)
    this.#reader?.wake()
    this.#reader = undefined
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(() => failureFromClientError(error))
  }

  #resume(): void {
    if (this.#failure) return // buffered data can still be read, but nothing more arrives
    this.#limit(this.#idleMs, FAILURES.idle)
    this.#controller?.resume()
  }

  #fail(createFailure: () => UpstreamFailure): void {
    if (this.#ended || this.#failure) return
    const failure = (this.#failure = createFailure())
    this.#close()
    this.#headersReader?.reject(failure)
    this.#headersReader = undefined
    this.#wholeReader?.reject(failure)
    this.#wholeReader = undefined
    this.#reader?.reject(failure)
    this.#reader = undefined
    this.#controller?.abort(failure)
  }

  #close(): void {
    this.#unlimit()
    if (!this.#signal) return
    this.#signal.removeEventListener('abort', this.#onAbort!)
    this.#signal = undefined
  }

  #limit(milliseconds: number, failure: () => UpstreamFailure): void {
    this.#lateFailure = failure
    this.endsAt = DEADLINES.endOf(milliseconds)
    if (this.#isTimed) return
    this.#isTimed = true
    DEADLINES.add(this)
  }

  #unlimit(): void {
    if (!this.#isTimed) return
    this.#isTimed = false
    DEADLINES.delete(this)
  }
}

const NO_BYTES = new Uint8Array(0)
