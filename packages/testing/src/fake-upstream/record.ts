import type { IncomingHttpHeaders } from 'node:http'
import type { TokenCounts } from './compose-response.ts'
import type { WireFormId } from './protocol.ts'

/** One request as it came in, and what became of it. Fields under `sent` grow while the answer is written. */
export interface ReceivedRequest {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The form of the conversation, or undefined when the request is not part of one. */
  form: WireFormId | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** The body as JSON, or undefined when it is not JSON. */
  readonly body: unknown
  readonly receivedAt: number
  /** When the caller hung up before the answer was complete. */
  abortedAt: number | undefined
  readonly sent: SentAnswer
}

export interface SentAnswer {
  status: number | undefined
  events: number
  /** Model tokens in the events sent so far. */
  tokens: number
  text: string
  /** What the answer counted, once one was made. */
  counts: TokenCounts | undefined
  /** Why the request was refused as malformed. */
  refused: string | undefined
  bytes: number
  /** `cut` is the upstream's own doing, `aborted` the caller's. */
  outcome: 'open' | 'finished' | 'cut' | 'aborted'
}

/** Keeps every request and lets a test wait for the moment it means. */
export class RequestRecord {
  readonly requests: ReceivedRequest[] = []
  readonly #waiters = new Set<() => void>()

  add(request: ReceivedRequest): void {
    this.requests.push(request)
    this.changed()
  }

  changed(): void {
    for (const check of this.#waiters) check()
  }

  /** Resolves with the count-th request that fits, as soon as there is one. */
  nth(count: number, fits: (request: ReceivedRequest) => boolean, what: string): Promise<ReceivedRequest> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.requests.filter(fits)[count - 1]
        if (found === undefined) return
        finish()
        resolve(found)
      }
      // A test that waits for something that never comes should say what, not only that it timed out.
      const timer = setTimeout(() => {
        finish()
        const seen = this.requests.map((request) => `${request.method} ${request.path} ${request.sent.outcome}`)
        reject(new Error(`waited for ${count} ${what}, have seen: ${seen.join(', ') || 'nothing'}`))
      }, WAIT_LIMIT_MS)
      const finish = () => {
        clearTimeout(timer)
        this.#waiters.delete(check)
      }
      this.#waiters.add(check)
      check()
    })
  }

  clear(): void {
    this.requests.length = 0
  }
}

const WAIT_LIMIT_MS = 20_000
