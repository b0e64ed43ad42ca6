import type { ReceivedRequest, Script } from './types.ts'

/** Keeps every request and lets a test wait for the moment it means. */
export class RequestLog {
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
  nth(count: number, matches: (request: ReceivedRequest) => boolean, what: string): Promise<ReceivedRequest> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.requests.filter(matches)[count - 1]
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

/** Chooses the script of a request: first the queue, then the newest rule that fits, then a plain answer. */
export class ScriptQueue {
  readonly #queue: Script[] = []
  readonly #rules: { fits: (request: ReceivedRequest) => boolean; scripts: Script[] }[] = []

  enqueue(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  /** Several scripts answer in turn, and the last one all that follow. */
  addRule(matches: (request: ReceivedRequest) => boolean, ...scripts: Script[]): void {
    this.#rules.unshift({ fits: matches, scripts })
  }

  scriptFor(request: ReceivedRequest): Script {
    return this.#queue.shift() ?? this.#byRule(request) ?? {}
  }

  #byRule(request: ReceivedRequest): Script | undefined {
    const scripts = this.#rules.find(({ fits: matches }) => matches(request))?.scripts
    return scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0]
  }

  clear(): void {
    this.#queue.length = 0
    this.#rules.length = 0
  }
}
