import type { DialectId } from '@tidegate/dialects'
import type { SingleOperation } from '@tidegate/providers'
import type { FormBody } from '../http/form-body.ts'
import type { JsonBody } from '../http/read-json.ts'

/** A request for something that is no conversation, as far as we need to understand it. */
export interface OperationRequest {
  readonly operation: SingleOperation
  /** As the client asked for it, or what stands for nothing said. */
  readonly model: string
  readonly dialect: DialectId
  /** The client wants the answer piece by piece. */
  readonly stream: boolean
  readonly body: JsonBody | FormBody
  /** What is said in it: looked through for words, and counted. */
  readonly texts: readonly string[]
  /** Tokens that came as numbers already. */
  readonly otherTokens: number
  readonly work: Work
}

/** What is paid for. */
export type Work =
  | { readonly kind: 'tokens' }
  /** Letters of a text to be spoken. */
  | { readonly kind: 'letters'; readonly letters: number }
  | { readonly kind: 'images'; readonly count: number; readonly size: string; readonly quality: string }
  | { readonly kind: 'sound'; readonly seconds: number }
