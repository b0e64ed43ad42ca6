import type { ApiRequest } from '../http/api-request.ts'
import type { Route } from '../route/route.ts'

/**
 * Aborts the upstream requests of a request. A provider bills a request whose client has disconnected, so its response
 * is read on for a while to learn the usage.
 */
export class UpstreamAbort {
  readonly #incoming: Pick<ApiRequest, 'signal' | 'stopped' | 'writer'>
  readonly #readMs: number
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sentTo: Route | undefined
  #readsOn = true

  constructor(incoming: Pick<ApiRequest, 'signal' | 'stopped' | 'writer'>, readMs: number) {
    this.#incoming = incoming
    this.#readMs = readMs
    incoming.signal.addEventListener('abort', this.#onClientGone, { once: true })
    incoming.stopped.addEventListener('abort', this.#abort, { once: true })
    if (incoming.signal.aborted) this.#onClientGone()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The route that was called when the client disconnected, if its response was not read. */
  get billedBy(): Route | undefined {
    return this.signal.aborted && this.#incoming.writer.isClosed ? this.#sentTo : undefined
  }

  /** The request is sent: the provider bills its prompt from now on. */
  markSent(route: Route): void {
    this.#sentTo = route
  }

  /** The attempt failed: the provider bills nothing. */
  markFailed(): void {
    if (!this.signal.aborted) this.#sentTo = undefined
  }

  /** The response has begun. Reading more of it helps only if the model bills tokens that its stream does not show. */
  markResponded({ hidesReasoning }: { hidesReasoning: boolean }): void {
    this.#readsOn = hidesReasoning
    if (!hidesReasoning && this.#incoming.signal.aborted) this.#abort()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#incoming.signal.removeEventListener('abort', this.#onClientGone)
    this.#incoming.stopped.removeEventListener('abort', this.#abort)
  }

  readonly #onClientGone = () => {
    const readsOn = this.#readsOn && this.#sentTo !== undefined && this.#incoming.writer.isClosed && this.#readMs > 0
    if (!readsOn) this.#abort()
    else this.#timer ??= setTimeout(this.#abort, this.#readMs)
  }

  readonly #abort = () => this.#controller.abort()
}
