import { asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../../target.ts'
import type { BalanceQuery } from '../../provider.ts'

const USAGE_PERIOD_DAYS = 100

/** The remaining credit by OpenAI's old billing API, which resellers still support. */
export function openaiBalance(home: string): BalanceQuery {
  const urlOf = (baseUrl: string, path: string) => endpoint(originOf(baseUrl || home), path)
  return {
    steps: [
      ({ baseUrl }) => urlOf(baseUrl, '/v1/dashboard/billing/subscription'),
      ({ baseUrl }, [subscription], now) =>
        urlOf(
          baseUrl,
          `/v1/dashboard/billing/usage?${period(asJsonObject(subscription)?.has_payment_method === true, now)}`,
        ),
    ],
    read([subscription, usage]) {
      const limit = Number(asJsonObject(subscription)?.hard_limit_usd)
      const used = Number(asJsonObject(usage)?.total_usage)
      if (!Number.isFinite(limit) || !Number.isFinite(used)) throw new Error('the response has no balance')
      return limit - used / 100
    },
  }
}

/** If the channel has a full URL, the billing API is at the root of its host. */
function originOf(address: string): string {
  return address.includes('/chat/completions') ? new URL(address).origin : address
}

function period(billedMonthly: boolean, now: Date): string {
  const start = billedMonthly
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
    : new Date(now.getTime() - USAGE_PERIOD_DAYS * 86_400_000)
  const end = new Date(now.getTime() + 86_400_000)
  return `start_date=${dayOf(start)}&end_date=${dayOf(end)}`
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
