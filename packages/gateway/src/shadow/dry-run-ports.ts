import { ApiError } from '@tidegate/contract'
import type { BudgetState, Credit, Limiter, Ports } from '../ports/index.ts'

const PREFIX = 'shadow:'

/** The same limits with separate counters: copies add up like requests, and take nothing from real requests. */
export function dryRunLimiter(limiter: Limiter): Limiter {
  return {
    async acquire({ budgets, lease }) {
      const result = await limiter.acquire({
        budgets: budgets.map(addPrefix),
        ...(lease && { lease: addPrefix(lease) }),
      })
      const states = result.budgets.map(removePrefix)
      return result.allowed ? { ...result, budgets: states } : { ...removePrefix(result), budgets: states }
    },
    async release({ budgets, lease }): Promise<BudgetState[]> {
      const correction = { budgets: budgets.map(addPrefix), ...(lease && { lease: addPrefix(lease) }) }
      return (await limiter.release(correction)).map(removePrefix)
    },
  }
}

function addPrefix<T extends { readonly key: string }>(counter: T): T {
  return { ...counter, key: PREFIX + counter.key }
}

function removePrefix<T extends { readonly key: string }>(counter: T): T {
  return { ...counter, key: counter.key.slice(PREFIX.length) }
}

/** Checks the balance as a reservation would, without making one. `reserved` receives the amount. */
export function dryRunCredit(accounts: Ports['accounts'], reserved: (amount: number) => void): Credit {
  return {
    async reserve({ userId, tokenId, tokenUnlimited, amount, minimum: needed = amount }) {
      reserved(amount)
      if (accounts) {
        const { user, token } = await accounts.amountsOf({ userId, tokenId })
        if (user.remain < needed) throw new ApiError('insufficient_user_quota', { needed })
        if (!tokenUnlimited && token.remain < needed) throw new ApiError('pre_consume_token_quota_failed', { needed })
      }
      return {
        amount,
        isOpen: true,
        extend: () => undefined,
        checkpoint() {},
        settle: async () => {},
        release() {},
      }
    },
  }
}
