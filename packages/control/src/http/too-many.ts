import { ApiError } from '@tidegate/contract'

/** The refusal of a caller whose budget is spent. */
export function tooMany(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', { seconds: Math.ceil(retryAfterSeconds) }, { retryAfterSeconds })
}
