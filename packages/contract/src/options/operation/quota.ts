import { MAX_QUOTA } from '../../values.ts'
import { flag, integer, number } from '../define.ts'

const quota = { tab: 'operation', section: 'quota' } as const
const rebate = { tab: 'operation', section: 'rebate' } as const
const checkIn = { tab: 'operation', section: 'check-in' } as const

const amount = { min: 0, max: MAX_QUOTA }
const tokens = { min: 0, max: 10_000_000 }

/** Quota that is given away or held back. */
export const quotaOptions = {
  QuotaForNewUser: integer(quota, 0, amount),
  QuotaForInviter: integer(quota, 0, amount),
  QuotaForInvitee: integer(quota, 0, amount),
  /** The least that is reserved for a request without an output limit, in tokens. */
  PreConsumedQuota: integer(quota, 500, amount),
  /** No request may produce more output tokens; 0 for no limit. */
  'billing.max_output_tokens': integer(quota, 0, tokens),
  /** Output tokens to reserve for a request without an output limit, to a model whose maximum is unknown. */
  'billing.assumed_output_tokens': integer(quota, 16_384, { min: 1, max: 10_000_000 }),
  /** How long to read a response for its usage after the client has disconnected; 0 to stop at once. */
  'billing.disconnect_read_seconds': integer(quota, 30, { min: 0, max: 600 }),
  AffEnabled: flag(quota, true),

  RebateEnabled: flag(rebate, false),
  /** Whole basis points, so that the share is computed in integers. */
  RebatePercentage: number(rebate, 0, { min: 0, max: 100, step: 0.01 }),

  CheckInEnabled: flag(checkIn, false),
  /** The reward, or the least of it when the maximum is larger. */
  CheckInQuota: integer(checkIn, 1000, amount),
  CheckInMaxQuota: integer(checkIn, 0, amount),
}
