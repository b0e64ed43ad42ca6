import { MAX_QUOTA } from '../../values.ts'
import { flag, integer, number } from '../define.ts'

const quota = { tab: 'operation', section: 'quota' } as const
const rebate = { tab: 'operation', section: 'rebate' } as const
const checkIn = { tab: 'operation', section: 'check-in' } as const

const amount = { min: 0, max: MAX_QUOTA }

/** Quota that is given away or held back. */
export const quotaOptions = {
  QuotaForNewUser: integer(quota, 0, amount),
  QuotaForInviter: integer(quota, 0, amount),
  QuotaForInvitee: integer(quota, 0, amount),
  /** Tokens reserved for a call that states no maximum. */
  PreConsumedQuota: integer(quota, 500, amount),
  AffEnabled: flag(quota, true),

  RebateEnabled: flag(rebate, false),
  /** Whole basis points, so that the share is computed in integers. */
  RebatePercentage: number(rebate, 0, { min: 0, max: 100, step: 0.01 }),

  CheckInEnabled: flag(checkIn, false),
  /** The reward, or the least of it when the maximum is larger. */
  CheckInQuota: integer(checkIn, 1000, amount),
  CheckInMaxQuota: integer(checkIn, 0, amount),
}
