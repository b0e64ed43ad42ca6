/** What a part of the suite has seen: how much it tried, and every sentence about what went wrong. */
export class Findings {
  tried = 0
  readonly failures: string[] = []
  /** What took too long. The proof counts it as a failure; tests do not, since they share their machine. */
  readonly slow: string[] = []
  /** Figures worth printing. */
  readonly notes: string[] = []

  /** Counts one try, and keeps the sentence when it did not hold. */
  check(holds: boolean, failure: () => string): void {
    this.tried += 1
    if (!holds) this.failures.push(failure())
  }

  checkTime(holds: boolean, failure: () => string): void {
    this.tried += 1
    if (!holds) this.slow.push(failure())
  }
}

/** Enough of a long text to recognise it by. */
export function brief(text: string, length = 300): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
}
