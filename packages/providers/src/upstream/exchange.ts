import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Deadlines, UpstreamResponse } from './types.ts'
import { Countdown } from './countdown.ts'
import { failureFromClientError, FAILURES, type UpstreamFailure } from './failure.ts'

/** Buffered bytes at which the provider is paused. */
const HIGH_WATER_BYTES = 64 * 1024
/** After the last event, the provider has this long to end the response, so that the connection can be reused. */
const FINISH_MS = 1000

/**
 * One request and its response: undici pushes, the reader pulls. Ensures the order (headers, body, end or failure, each
 * at most once), the deadlines, and bounded buffers.
 */
export class Exchange implements Dispatcher.DispatchHandler, UpstreamResponse {
  readonly headersReceived: Promise<UpstreamResponse>
  status = 0
  headers: IncomingHttpHeaders = {}

  #settleHeaders!: { resolve(response: UpstreamResponse): void; reject(failure: UpstreamFailure): void }
  #controller: Dispatcher.DispatchController | undefined
  readonly #queue: Uint8Array[] = []
  #queuedBytes = 0
  #reader: { wake(): void; reject(failure: UpstreamFailure): void } | undefined
  #failure: UpstreamFailure | undefined
  #ended = false
  #discarding = false
  readonly #timer = new Countdown()
  readonly #deadlines: Deadlines
  #idleMs: number
  readonly #unsubscribe: () => void

  constructor(deadlines: Deadlines, signal: AbortSignal | undefined) {
    this.#deadlines = deadlines
    this.#idleMs = deadlines.idleMs
    this.headersReceived = new Promise((resolve, reject) => {
      this.#settleHeaders = { resolve, reject }
    })
    const onAbort = () => this.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#unsubscribe = () => signal?.removeEventListener('abort', onAbort)
    this.#startTimer(deadlines.connectMs + deadlines.firstByteMs, FAILURES.firstByte)
    if (signal?.aborted) this.abort()
  }

  get bufferedBytes(): number {
    return this.#queuedBytes
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
    const taken = this.#queue.length > 1 ? Buffer.concat(this.#queue, this.#queuedBytes) : this.#queue[0]
    this.#queue.length = 0
    this.#queuedBytes = 0
    if (this.#controller?.paused) this.#resume()
    return taken
  }

  limitSilence(milliseconds: number): void {
    this.#idleMs = milliseconds
    // The timer is stopped while the provider is paused; it starts when reading resumes.
    if (this.#timer.isRunning && !this.#discarding) this.#startTimer(milliseconds, FAILURES.idle)
  }

  abort(): void {
    this.#fail(FAILURES.aborted())
  }

  finish(): void {
    if (this.#ended || this.#failure) return
    this.#discarding = true
    this.#queue.length = 0
    this.#queuedBytes = 0
    this.#startTimer(FINISH_MS, FAILURES.aborted)
    this.#controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Aborted while connecting.
    if (this.#failure) controller.abort(this.#failure)
    else this.#startTimer(this.#deadlines.firstByteMs, FAILURES.firstByte)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.status = status
    this.headers = headers
    this.#startTimer(this.#idleMs, FAILURES.idle)
    this.#settleHeaders.resolve(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#failure || this.#discarding || chunk.length === 0) return
    this.#timer.extend(this.#idleMs)
    this.#queue.push(chunk)
    this.#queuedBytes += chunk.length
    this.#reader?.wake()
    this.#reader = undefined
    if (this.#queuedBytes >= HIGH_WATER_BYTES) {
      controller.pause()
      this.#timer.stop() // the provider is paused, so its silence is not a timeout
    }
  }

  onResponseEnd(): void {
    this.#ended = true
    this.#close()
    this.#reader?.wake()
    this.#reader = undefined
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(failureFromClientError(error))
  }

  #resume(): void {
    if (this.#failure) return // buffered data can still be read, but nothing more arrives
    this.#startTimer(this.#idleMs, FAILURES.idle)
    this.#controller?.resume()
  }

  #fail(failure: UpstreamFailure): void {
    if (this.#ended || this.#failure) return
    this.#failure = failure
    this.#close()
    this.#settleHeaders.reject(failure)
    this.#reader?.reject(failure)
    this.#reader = undefined
    this.#controller?.abort(failure)
  }

  #close(): void {
    this.#timer.stop()
    this.#unsubscribe()
  }

  #startTimer(milliseconds: number, failure: () => UpstreamFailure): void {
    this.#timer.start(milliseconds, () => this.#fail(failure()))
  }
}
