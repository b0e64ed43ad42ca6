/** Error in a request, found before the caller is known. */
export class DialectError extends Error {
  override readonly name = 'DialectError'
  /** `cannot_express`: the request is valid, but the provider's protocol cannot express something in it. */
  readonly code: 'invalid_json' | 'model_required' | 'invalid_request' | 'cannot_express'

  constructor(code: DialectError['code'], reason = '') {
    super(reason || code)
    this.code = code
  }
}

/** Content of `error` in a response: the known fields and any others that the provider sent. */
export interface WireError {
  readonly message: string
  readonly type?: unknown
  readonly param?: unknown
  readonly code?: unknown
  readonly [extra: string]: unknown
}
