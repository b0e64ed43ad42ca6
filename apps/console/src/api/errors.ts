import type { ErrorCode } from '@tidegate/contract/api'
import { i18n } from '../lib/i18n.ts'

/** Why a call failed. `network`: no answer at all; `unknown`: an answer that is not one of ours. */
export type ApiErrorCode = ErrorCode | 'network' | 'unknown'

export interface Failure {
  /** 0 when there was no answer. */
  status: number
  code: ApiErrorCode
  /** The server's own sentence, blank when it gave none. */
  serverMessage: string
  requestId: string
  /** What the server gave along so that the caller can go on. */
  data?: unknown
}

/** A call that did not succeed, with a sentence fit to show and the id to quote to an operator. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ApiErrorCode
  readonly requestId: string
  readonly data: unknown

  constructor(failure: Failure, options?: ErrorOptions) {
    super(sentence(failure), options)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId
    this.data = failure.data
  }
}

/** What to tell a person about anything that was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return i18n.t('common:errors.other', { message: error instanceof Error ? error.message : String(error) })
}

/** The person was asked to prove to be the owner, and would not: nothing is left to say about it. */
export function isUnproved(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'proof_required'
}

/** What was to be changed has changed since it was loaded; the form offers to load it again. */
export function isEditConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'edit_conflict'
}

function sentence({ status, code, serverMessage }: Failure): string {
  if (code === 'network') return i18n.t('common:errors.network')
  if (status === 401) return serverMessage || i18n.t('common:errors.expired')
  // The server's sentence says how long to wait, when it gives one.
  if (status === 429) return serverMessage || i18n.t('common:errors.tooMany')
  if (status === 405 && code !== 'method_not_allowed') return i18n.t('common:errors.demoOnly')
  // A refusal of our own says what is wrong, whatever status its call is bound to use.
  const isRefusal = status === 200 || (code !== 'unknown' && code !== 'internal_error')
  if (isRefusal && serverMessage) return serverMessage
  if (status === 500) return i18n.t('common:errors.internal')
  return i18n.t('common:errors.other', { message: serverMessage || `HTTP ${status}` })
}

/** The server, or the proxy in front of it, does not respond. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.code === 'network' || (error.code === 'unknown' && [502, 503, 504].includes(error.status))
}
