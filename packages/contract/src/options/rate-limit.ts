import { flag, integer } from './define.ts'

const requests = { tab: 'ratelimit', section: 'model-requests' } as const

/** Model calls of one user. */
export const rateLimitOptions = {
  ModelRequestRateLimitEnabled: flag(requests, false),
  /** All calls, also failed ones; 0 is no limit. */
  ModelRequestRateLimitCount: integer(requests, 0, { min: 0 }),
  ModelRequestRateLimitSuccessCount: integer(requests, 1000, { min: 1 }),
  /** 0 is no limit. */
  ModelRequestRateLimitDurationMinutes: integer(requests, 1, { min: 0 }),
}
