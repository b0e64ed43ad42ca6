/** The result of an attack: how much was tried, and a sentence about each failure. */
export class Findings {
  tried = 0
  readonly failures: string[] = []
  /** What took too long. The proof counts it as a failure; tests do not, because they share their machine. */
  readonly slow: string[] = []
  /** Numbers worth printing. */
  readonly notes: string[] = []

  /** Counts one check and keeps the sentence if it failed. */
  check(holds: boolean, failure: () => string): void {
    this.tried += 1
    if (!holds) this.failures.push(failure())
  }

  checkTime(holds: boolean, failure: () => string): void {
    this.tried += 1
    if (!holds) this.slow.push(failure())
  }
}

/** Shortens a long text. */
export function brief(text: string, length = 300): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
}
