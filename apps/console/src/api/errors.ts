import type { ErrorCode } from '@tidegate/contract/api'
import { i18n } from '../lib/i18n.ts'

/** Why a request failed. `network`: no response. `unknown`: a response that is not from our API. */
export type ApiErrorCode = ErrorCode | 'network' | 'unknown'

export interface Failure {
  /** 0 without a response. */
  status: number
  code: ApiErrorCode
  /** The message of the server, or an empty string. */
  serverMessage: string
  requestId: string
  /** Data that the caller needs to continue. */
  data?: unknown
}

/** A failed request, with a localized message and the request ID. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ApiErrorCode
  readonly requestId: string
  readonly data: unknown

  constructor(failure: Failure, options?: ErrorOptions) {
    super(messageOf(failure), options)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId
    this.data = failure.data
  }
}

/** The message to show for any thrown value. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return i18n.t('common:errors.other', { message: error instanceof Error ? error.message : String(error) })
}

/** The user cancelled re-authentication, so no error message is needed. */
export function isUnproved(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'proof_required'
}

/** The object has changed since it was loaded. The form offers to reload it. */
export function isEditConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'edit_conflict'
}

function messageOf({ status, code, serverMessage }: Failure): string {
  if (code === 'network') return i18n.t('common:errors.network')
  if (status === 401) return serverMessage || i18n.t('common:errors.expired')
  // The message of the server can contain the time to wait.
  if (status === 429) return serverMessage || i18n.t('common:errors.tooMany')
  if (status === 405 && code !== 'method_not_allowed') return i18n.t('common:errors.demoOnly')
  // Errors of our API have a specific message, with any HTTP status.
  const isApiMessage = status === 200 || (code !== 'unknown' && code !== 'internal_error')
  if (isApiMessage && serverMessage) return serverMessage
  if (status === 500) return i18n.t('common:errors.internal')
  return i18n.t('common:errors.other', { message: serverMessage || `HTTP ${status}` })
}

/** The server, or the proxy in front of it, does not respond. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.code === 'network' || (error.code === 'unknown' && [502, 503, 504].includes(error.status))
}
