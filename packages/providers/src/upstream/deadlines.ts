/** Something with a time limit. */
export interface Limited {
  /** As `endOf` returns it. */
  endsAt: number
  /** Called once after the time is over. It is removed before. */
  onDeadline(): void
}

const TICK_MS = 100

/**
 * Time limits of all open exchanges, checked by one timer: a timer for each request costs more than its whole route.
 * A limit fires up to a tick late and never early. Extending it only changes a number.
 */
export class DeadlineList {
  readonly #limited = new Set<Limited>()
  #timer: NodeJS.Timeout | undefined

  /** When a limit of this length ends. */
  endOf(milliseconds: number): number {
    return performance.now() + milliseconds
  }

  add(limited: Limited): void {
    this.#limited.add(limited)
    // The sockets of the exchanges keep the process alive.
    this.#timer ??= setInterval(() => this.#check(), TICK_MS).unref()
  }

  delete(limited: Limited): void {
    this.#limited.delete(limited)
  }

  #check(): void {
    const now = performance.now()
    for (const limited of this.#limited) {
      if (limited.endsAt > now) continue
      this.#limited.delete(limited)
      limited.onDeadline()
    }
    if (this.#limited.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Of this process. */
export const DEADLINES = new DeadlineList()
