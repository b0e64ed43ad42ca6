/** Shorter requests never wake the timer. */
const MAX_SLEEP_MS = 5_000

/**
 * A timeout that is cheap to extend for every chunk of a response: extending only reads the clock. The timer sleeps for
 * a limited time and checks on waking whether the time is over.
 */
export class Countdown {
  #timer: NodeJS.Timeout | undefined
  #wakesAt = 0
  #endsAt = 0
  #onTimeout: () => void = () => {}

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  /** Replaces a running countdown. */
  start(milliseconds: number, onTimeout: () => void): void {
    this.#onTimeout = onTimeout
    this.#setEnd(milliseconds)
  }

  /** Restarts the time from now; does nothing after `stop`. */
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
