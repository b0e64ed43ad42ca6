import type { DialectId } from '@tidegate/dialects'
import type { HttpOperation } from '@tidegate/providers'
import type { FormBody } from '../http/form-body.ts'
import type { JsonBody } from '../http/read-body.ts'

/** A request that is not a chat, with the fields that the gateway needs. */
export interface OperationRequest {
  readonly operation: HttpOperation
  /** The requested model, or the default. */
  readonly model: string
  readonly dialect: DialectId
  /** The client requested a stream. */
  readonly stream: boolean
  readonly body: JsonBody | FormBody
  /** The texts, for the content filter and the token count. */
  readonly texts: readonly string[]
  /** Tokens that were given as numbers. */
  readonly otherTokens: number
  readonly work: BillableWork
}

/** What the price depends on. */
export type BillableWork =
  | { readonly kind: 'tokens' }
  /** Characters of a text for speech synthesis. */
  | { readonly kind: 'characters'; readonly characters: number }
  | { readonly kind: 'images'; readonly count: number; readonly size: string; readonly quality: string }
  | { readonly kind: 'audio'; readonly seconds: number }
