import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import type { Budget, Limiter } from '../ports.ts'
import { aCaller } from '../test-catalog.ts'
import { takeSlots } from './rate-limits.ts'

/** Budgets that never refill. */
function fixedBudgets(): Limiter & { used: Map<string, number> } {
  const used = new Map<string, number>()
  const add = (budgets: readonly Budget[], amount: number) => {
    for (const { key } of budgets) used.set(key, (used.get(key) ?? 0) + amount)
  }
  return {
    used,
    async take(budgets) {
      const full = budgets.find(({ key, limit }) => (used.get(key) ?? 0) >= limit)
      if (full) return { allowed: false, retryAfterSeconds: 7, key: full.key }
      add(budgets, 1)
      return { allowed: true }
    },
    giveBack: async (budgets) => add(budgets, -1),
  }
}

const off = readSettings(new Map())
const perUser = {
  ...off,
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitCount: 3,
  ModelRequestRateLimitSuccessCount: 2,
}
const limited = aCaller({ rateLimit: { windowSeconds: 60, requests: 0, successes: 1 } })

describe('takeSlots', () => {
  it('counts successes only, and holds a place while a call is on its way', async () => {
    const limiter = fixedBudgets()
    const first = await takeSlots(limiter, limited, 'default', off)

    await expect(takeSlots(limiter, limited, 'default', off)).rejects.toMatchObject({
      code: 'token_rate_limited',
      status: 429,
      retryAfterSeconds: 7,
    })
    await first.giveBack()
    await expect(takeSlots(limiter, limited, 'default', off)).resolves.toBeDefined()
  })

  it('counts every call of a user, answered or not', async () => {
    const limiter = fixedBudgets()
    for (let call = 0; call < 3; call += 1) {
      await (await takeSlots(limiter, aCaller(), 'default', perUser)).giveBack()
    }

    await expect(takeSlots(limiter, aCaller(), 'default', perUser)).rejects.toMatchObject({
      code: 'model_rate_limited',
    })
    await expect(takeSlots(limiter, aCaller({ userId: 8 }), 'default', perUser)).resolves.toBeDefined()
  })

  it('asks nothing of a caller without limits, nor of the exempt group', async () => {
    const limiter = fixedBudgets()
    const exempt = { ...perUser, 'global.rate_limit_exempt_enabled': true }

    await takeSlots(limiter, aCaller(), 'default', off)
    await takeSlots(limiter, limited, 'bulk-ok', exempt)

    expect(limiter.used.size).toBe(0)
  })

  it('takes a duration of 0 for no limit', async () => {
    const limiter = fixedBudgets()

    await takeSlots(limiter, aCaller(), 'default', { ...perUser, ModelRequestRateLimitDurationMinutes: 0 })

    expect(limiter.used.size).toBe(0)
  })
})
