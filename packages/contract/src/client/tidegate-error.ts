import type { ErrorCode } from '../errors.ts'

/** A call that was refused. Programs decide by `code`; `message` is for people. */
export class TidegateError extends Error {
  override readonly name = 'TidegateError'
  readonly status: number
  /** Missing where something between here and the server answered in its place. */
  readonly code: ErrorCode | undefined
  /** What the server added for whoever goes on. */
  readonly data: unknown

  constructor(message: string, { status, code, data }: { status: number; code?: ErrorCode; data?: unknown }) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}
