import type { AbortWatcher, ApiRequest } from '../http/api-request.ts'
import type { Route } from '../route/route.ts'

type WatchedRequest = Pick<ApiRequest, 'isAborted' | 'writer' | 'watcher'>

/**
 * Aborts the upstream requests of a request. A provider bills a request whose client has disconnected, so its response
 * is read on for a while to learn the usage.
 */
export class UpstreamAbort implements AbortWatcher {
  readonly #incoming: WatchedRequest
  readonly #readMs: number
  #isAborted = false
  #controller: AbortController | undefined = undefined
  #exchange: { abort(): void } | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #sentTo: Route | undefined = undefined
  #readsOn = true

  constructor(incoming: WatchedRequest, readMs: number) {
    this.#incoming = incoming
    this.#readMs = readMs
    incoming.watcher = this
    if (incoming.isAborted) this.requestAborted()
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** The route that was called when the client disconnected, if its response was not read. */
  get billedBy(): Route | undefined {
    return this.#isAborted && this.#incoming.writer.isClosed ? this.#sentTo : undefined
  }

  /** The request is sent: the provider bills its prompt from now on. An exchange without a signal is aborted here. */
  markSent(route: Route, exchange?: { abort(): void }): void {
    this.#sentTo = route
    this.#exchange = exchange
    if (this.#isAborted) exchange?.abort()
  }

  /** The attempt failed: the provider bills nothing. */
  markFailed(): void {
    this.#exchange = undefined
    if (!this.#isAborted) this.#sentTo = undefined
  }

  /** The response has begun. Reading more of it helps only if the model bills tokens that its stream does not show. */
  markResponded({ hidesReasoning }: { hidesReasoning: boolean }): void {
    this.#readsOn = hidesReasoning
    if (!hidesReasoning && this.#incoming.isAborted) this.requestStopped()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#incoming.watcher = undefined
  }

  requestAborted(): void {
    const readsOn = this.#readsOn && this.#sentTo !== undefined && this.#incoming.writer.isClosed && this.#readMs > 0
    if (!readsOn) this.requestStopped()
    else this.#timer ??= setTimeout(() => this.requestStopped(), this.#readMs)
  }

  requestStopped(): void {
    this.#isAborted = true
    this.#exchange?.abort()
    this.#controller?.abort()
  }
}
