/** What is wrong with a request, before anything is known about who sent it. */
export class DialectError extends Error {
  override readonly name = 'DialectError'
  readonly code: 'invalid_json' | 'model_required' | 'invalid_request'

  constructor(code: DialectError['code'], reason = '') {
    super(reason || code)
    this.code = code
  }
}
