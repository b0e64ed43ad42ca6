import type { FailureClass, UpstreamFailure } from '../upstream/failure.ts'

const BY_TYPE: Readonly<Record<string, FailureClass>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'credit',
  rate_limit_error: 'rate',
  overloaded_error: 'server',
  api_error: 'server',
  timeout_error: 'server',
}

/** Whose fault a failure is, by Anthropic's names for its errors. An empty account is told of in words only. */
export function classifyAnthropic({ kind, status, error }: UpstreamFailure): FailureClass {
  if (kind === 'aborted') return 'client'
  if (kind !== 'status' && kind !== 'answer') return 'server'
  if (/credit balance is too low/i.test(error.message)) return 'credit'
  const named = typeof error.type === 'string' ? BY_TYPE[error.type] : undefined
  if (named) return named
  if (status === 401) return 'auth'
  if (status === 429) return 'rate'
  return status >= 400 && status < 500 && status !== 408 ? 'client' : 'server'
}
