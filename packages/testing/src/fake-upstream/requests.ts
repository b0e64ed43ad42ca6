import type { ReceivedRequest, Script, ScriptOrFunction } from './types.ts'

/** Records requests and lets tests wait for them. */
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

  /** Waits for the n-th matching request. */
  nth(count: number, matches: (request: ReceivedRequest) => boolean, what: string): Promise<ReceivedRequest> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.requests.filter(matches)[count - 1]
        if (found === undefined) return
        finish()
        resolve(found)
      }
      // The error names what the test waited for.
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

/** Selects the script of a request: first the queue, then the newest matching rule, then the default. */
export class ScriptQueue {
  readonly #queue: Script[] = []
  readonly #rules: { fits: (request: ReceivedRequest) => boolean; scripts: ScriptOrFunction[] }[] = []

  enqueue(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  /** Several scripts are used in turn; the last one is repeated. */
  addRule(matches: (request: ReceivedRequest) => boolean, ...scripts: ScriptOrFunction[]): void {
    this.#rules.unshift({ fits: matches, scripts })
  }

  scriptFor(request: ReceivedRequest): Script {
    return this.#queue.shift() ?? this.#byRule(request) ?? {}
  }

  /** The script that a rule has for a request; the queue is for chats. */
  ruleFor(request: ReceivedRequest): Script | undefined {
    return this.#byRule(request)
  }

  #byRule(request: ReceivedRequest): Script | undefined {
    const scripts = this.#rules.find(({ fits: matches }) => matches(request))?.scripts
    const script = scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0]
    return typeof script === 'function' ? script(request) : script
  }

  clear(): void {
    this.#queue.length = 0
    this.#rules.length = 0
  }
}
