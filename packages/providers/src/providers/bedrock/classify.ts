import { classifyAnthropic } from '../../anthropic-compatible/classify.ts'
import type { FailureClass, UpstreamFailure } from '../../upstream/failure.ts'

/** What breaks off a stream, by Amazon's names. */
const BY_TYPE: Readonly<Record<string, FailureClass>> = {
  throttlingException: 'rate',
  validationException: 'client',
}

/** Whose fault a failure is: Amazon says 403 to keys it does not know and to models that an account was not given. */
export function classifyAmazon(failure: UpstreamFailure): FailureClass {
  const { kind, status, error } = failure
  if (kind === 'status' && status === 403) return 'auth'
  // The model broke, whatever it was asked.
  if (kind === 'status' && status === 424) return 'server'
  const named = kind === 'answer' && typeof error.type === 'string' ? BY_TYPE[error.type] : undefined
  return named ?? classifyAnthropic(failure)
}
