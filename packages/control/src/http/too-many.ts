import { Refusal } from '@tidegate/contract'

/** The refusal of a caller whose budget is spent. */
export function tooMany(retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', { seconds: Math.ceil(retryAfterSeconds) }, { retryAfterSeconds })
}
