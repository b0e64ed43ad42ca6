import type { Settings } from '@tidegate/contract'
import type { AccountAmounts, Caller } from '../ports/index.ts'

/** Stands for a token that has no limit. */
const UNLIMITED_USD = 100_000_000

type BillingSettings = Pick<Settings, 'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

interface BillingContext {
  readonly caller: Pick<Caller, 'unlimitedQuota' | 'expiredTime'>
  readonly settings: BillingSettings
  readonly amounts: { readonly user: AccountAmounts; readonly token: AccountAmounts }
}

/** The spending limit, in the format of OpenAI's old billing API. Of the token, or of its owner, as configured. */
export function showSubscription(context: BillingContext): object {
  const { caller, settings } = context
  const { remain, used } = visibleAmounts(context)
  const isUnlimited = settings.DisplayTokenStatEnabled && caller.unlimitedQuota
  const limit = isUnlimited ? UNLIMITED_USD : amountIn(settings, remain + used)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: caller.expiredTime > 0 ? caller.expiredTime : 0,
  }
}

/** The usage, in hundredths. */
export function showUsage(context: BillingContext): object {
  return { object: 'list', total_usage: amountIn(context.settings, visibleAmounts(context).used) * 100 }
}

function visibleAmounts({ settings, amounts }: BillingContext): AccountAmounts {
  return settings.DisplayTokenStatEnabled ? amounts.token : amounts.user
}

function amountIn({ DisplayInCurrencyEnabled, QuotaPerUnit }: BillingSettings, quota: number): number {
  return DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota
}
