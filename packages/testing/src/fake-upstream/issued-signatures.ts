import { randomBytes } from 'node:crypto'

/**
 * The seals this upstream put on its thoughts and calls, and what each was put on. A caller must hand them back
 * unchanged and with the same thing, so one that swaps, shortens or invents them is found out.
 */
export class IssuedSignatures {
  readonly #subjects = new Map<string, string>()

  issue(protocol: string, subject: string, value = randomBytes(48).toString('base64')): string {
    this.#subjects.set(`${protocol} ${value}`, subject)
    return value
  }

  /** What the seal was put on, or undefined when it is not one of ours. */
  subjectOf(protocol: string, value: unknown): string | undefined {
    return this.#subjects.get(`${protocol} ${String(value)}`)
  }
}
