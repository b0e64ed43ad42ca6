import { API_TOKEN, isAdmin, isMistyped, ApiError, tokenHint } from '@tidegate/contract'
import type { Credential } from '../http/credential.ts'
import type { Caller, CallerRecord, Ports } from '../ports/index.ts'

export const TOKEN_STATUS = { enabled: 1, expired: 3, exhausted: 4 }
export const USER_ENABLED = 1

/**
 * The owner of a key, after every check that needs nothing but the token and its owner, in the order clients rely on.
 * `found` gets the record of a token that is known, also when it is rejected.
 */
export async function authenticate(
  { callers, now }: Pick<Ports, 'callers' | 'now'>,
  { key, pin }: Credential,
  found?: (record: CallerRecord) => void,
): Promise<Caller> {
  if (key === '') throw new ApiError('api_key_missing')
  if (isMistyped(API_TOKEN, key)) throw new ApiError('api_key_mistyped')
  const record = await callers.find(key)
  if (!record) throw new ApiError('api_key_invalid')
  found?.(record)
  const exhausted = () => spent(record, tokenHint(key, '***'), now())

  if (record.tokenStatus === TOKEN_STATUS.exhausted) throw exhausted()
  if (record.tokenStatus === TOKEN_STATUS.expired) throw new ApiError('api_key_expired')
  if (record.tokenStatus !== TOKEN_STATUS.enabled) throw new ApiError('api_key_disabled')
  if (hasExpired(record, now())) throw new ApiError('api_key_expired')
  if (!record.unlimitedQuota && record.remainQuota <= 0) throw exhausted()
  if (record.userStatus !== USER_ENABLED) throw new ApiError('api_key_owner_disabled')
  return pin === undefined ? record : { ...record, pinnedChannelId: readPin(record, pin) }
}

export function hasExpired({ tokenStatus, expiredTime }: CallerRecord, now: number): boolean {
  return tokenStatus === TOKEN_STATUS.expired || (expiredTime !== -1 && expiredTime * 1000 <= now)
}

/** A budget comes back: its client is told when. */
function spent({ budgetResetsAt }: CallerRecord, hint: string, now: number): ApiError {
  if (budgetResetsAt === undefined) return new ApiError('api_key_exhausted', { hint })
  const retryAfterSeconds = Math.max(1, Math.ceil(budgetResetsAt - now / 1000))
  const time = new Date(budgetResetsAt * 1000).toISOString()
  return new ApiError('api_key_budget_spent', { hint, time }, { retryAfterSeconds })
}

function readPin({ userRole }: CallerRecord, pin: string): number {
  if (!isAdmin(userRole)) throw new ApiError('channel_pin_refused')
  if (!/^\d{1,15}$/.test(pin)) {
    throw new ApiError('invalid_text_request', { reason: 'the channel id after the API key is not a number' })
  }
  return Number(pin)
}
