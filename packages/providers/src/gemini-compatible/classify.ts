import type { FailureClass, UpstreamFailure } from '../upstream/failure.ts'

/** Whose fault a failure is, by Google's status names. A bad key is a 400 here. */
export function classifyGemini({ kind, status, error }: UpstreamFailure): FailureClass {
  if (kind === 'aborted') return 'client'
  if (kind !== 'status' && kind !== 'answer') return 'server'
  if (status === 401 || status === 403 || /API key (not valid|expired|not found)/i.test(error.message)) return 'auth'
  if (status === 402) return 'credit'
  if (status === 429) return 'rate'
  return status >= 400 && status < 500 && status !== 408 ? 'client' : 'server'
}
