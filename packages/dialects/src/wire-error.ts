/** An error as it travels inside `error`: what we know of it, and whatever else the vendor put there. */
export interface WireError {
  readonly message: string
  readonly type?: unknown
  readonly param?: unknown
  readonly code?: unknown
  readonly [extra: string]: unknown
}
