/** A call that is over sooner never wakes it. */
const MAX_SLEEP_MS = 5_000

/**
 * Ends a wait that takes too long. Its end can be moved with every piece of an answer, which costs a look at the clock:
 * the timer sleeps for a while at most, and sees when it wakes whether the end has come.
 */
export class Countdown {
  #timer: NodeJS.Timeout | undefined
  #wakesAt = 0
  #endsAt = 0
  #onTimeout: () => void = () => {}

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  /** Whatever ran before is forgotten. */
  start(milliseconds: number, onTimeout: () => void): void {
    this.#onTimeout = onTimeout
    this.#setEnd(milliseconds)
  }

  /** As long again as that from now on; nothing when it was stopped. */
  extend(milliseconds: number): void {
    if (this.#timer) this.#setEnd(milliseconds)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #setEnd(milliseconds: number): void {
    this.#endsAt = performance.now() + milliseconds
    if (this.#timer && this.#wakesAt <= this.#endsAt) return
    clearTimeout(this.#timer)
    this.#sleep(milliseconds)
  }

  #sleep(milliseconds: number): void {
    const sleep = Math.min(milliseconds, MAX_SLEEP_MS)
    this.#wakesAt = performance.now() + sleep
    this.#timer = setTimeout(() => this.#wake(), sleep)
  }

  #wake(): void {
    const left = this.#endsAt - performance.now()
    if (left > 0) return this.#sleep(Math.ceil(left))
    this.#timer = undefined
    this.#onTimeout()
  }
}
