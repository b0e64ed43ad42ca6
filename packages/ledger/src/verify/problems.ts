/** The result of a verification. A note describes what was not compared; it is not an error. */
export interface Findings {
  problems: string[]
  notes: string[]
}

const MAX_LINES = 100

/** Collects the problems of one check: lists the first ones and counts the rest. */
export class ProblemList {
  readonly #check: string
  readonly #lines: string[] = []
  #more = 0

  constructor(check: string) {
    this.#check = check
  }

  add(line: string): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push(`${this.#check}: ${line}`)
    else this.#more += 1
  }

  get lines(): string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `${this.#check}: ${this.#more} more`]
  }
}
