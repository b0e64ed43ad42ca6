import type { ReceivedRequest, Script } from './types.ts'

/** Chooses the script of a request: first the queue, then the newest rule that fits, then a plain answer. */
export class ScriptBook {
  readonly #queue: Script[] = []
  readonly #rules: { fits: (request: ReceivedRequest) => boolean; scripts: Script[] }[] = []

  enqueue(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  /** Several scripts answer in turn, and the last one all that follow. */
  addRule(fits: (request: ReceivedRequest) => boolean, ...scripts: Script[]): void {
    this.#rules.unshift({ fits, scripts })
  }

  scriptFor(request: ReceivedRequest): Script {
    return this.#queue.shift() ?? this.#byRule(request) ?? {}
  }

  #byRule(request: ReceivedRequest): Script | undefined {
    const scripts = this.#rules.find(({ fits }) => fits(request))?.scripts
    return scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0]
  }

  clear(): void {
    this.#queue.length = 0
    this.#rules.length = 0
  }
}
