/** What is wrong with a request, before anything is known about who sent it. */
export class DialectError extends Error {
  override readonly name = 'DialectError'
  /** `cannot_express`: the request is fine, but the vendor's dialect has no words for something in it. */
  readonly code: 'invalid_json' | 'model_required' | 'invalid_request' | 'cannot_express'

  constructor(code: DialectError['code'], reason = '') {
    super(reason || code)
    this.code = code
  }
}

/** An error as it travels inside `error`: what we know of it, and whatever else the vendor put there. */
export interface WireError {
  readonly message: string
  readonly type?: unknown
  readonly param?: unknown
  readonly code?: unknown
  readonly [extra: string]: unknown
}
