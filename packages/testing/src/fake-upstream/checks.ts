import type { Failure } from './types.ts'

/** A request that the provider rejects. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly failure: Failure

  constructor(message: string, more: Partial<Failure> = {}) {
    super(message)
    this.failure = { status: 400, message, ...more }
  }
}

/** Throws a ProviderError unless the condition holds. */
export function requireThat(condition: unknown, message: string, param?: string): asserts condition {
  if (!condition) throw new ProviderError(message, { param })
}

/** A set of names from a text. */
export function nameSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
