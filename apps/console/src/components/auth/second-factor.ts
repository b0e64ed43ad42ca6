import type { SecondFactorNeeded } from '@tidegate/contract/api'
import { ApiError } from '../../api/errors.ts'

/** What a sign-in still asks for, when that is all its refusal says. */
export function secondFactorOf(error: unknown): SecondFactorNeeded | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return null
  return isNeeded(error.data) ? error.data : null
}

function isNeeded(data: unknown): data is SecondFactorNeeded {
  if (typeof data !== 'object' || data === null) return false
  return 'ticket' in data && typeof data.ticket === 'string' && 'methods' in data && Array.isArray(data.methods)
}
