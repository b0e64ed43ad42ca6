import type { FailureClass, UpstreamFailure } from '../upstream/failure.ts'

const CREDIT_CODES = new Set(['insufficient_quota', 'insufficient_user_quota', 'billing_not_active'])
const AUTH_CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** Like `classifyOpenai`, with additional error codes for an account without credit. */
export function classifyWithCreditCodes(creditCodes: readonly unknown[]): (failure: UpstreamFailure) => FailureClass {
  return (failure) => {
    const { kind, error } = failure
    const hasResponse = kind === 'status' || kind === 'answer'
    const isEmpty = creditCodes.includes(error.code) || creditCodes.includes(error.type)
    return hasResponse && isEmpty ? 'credit' : classifyOpenai(failure)
  }
}

/** Classifies failures by the error codes of OpenAI and compatible providers. */
export function classifyOpenai({ kind, status, error }: UpstreamFailure): FailureClass {
  if (kind === 'aborted') return 'client'
  if (kind !== 'status' && kind !== 'answer') return 'server'
  const identifiers = [error.code, error.type].filter((value) => typeof value === 'string')
  if (status === 402 || identifiers.some((value) => CREDIT_CODES.has(value))) return 'credit'
  if (status === 401 || identifiers.some((value) => AUTH_CODES.has(value))) return 'auth'
  if (status === 429) return 'rate'
  return status >= 400 && status < 500 && status !== 408 ? 'client' : 'server'
}
