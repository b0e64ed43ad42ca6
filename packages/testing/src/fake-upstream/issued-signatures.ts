import { randomBytes } from 'node:crypto'

/**
 * Issued signatures of reasoning and calls, with their subjects. Clients must send them back unchanged with the same
 * subject.
 */
export class IssuedSignatures {
  readonly #subjects = new Map<string, string>()

  issue(protocol: string, subject: string, value = randomBytes(48).toString('base64')): string {
    this.#subjects.set(`${protocol} ${value}`, subject)
    return value
  }

  /** The subject of a signature; undefined if it was not issued here. */
  subjectOf(protocol: string, value: unknown): string | undefined {
    return this.#subjects.get(`${protocol} ${String(value)}`)
  }
}
