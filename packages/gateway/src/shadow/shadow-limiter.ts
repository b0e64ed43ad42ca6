import type { BudgetState, Limiter } from '../ports.ts'

const APART = 'shadow:'

/**
 * The same limits over counts of their own: the copies add up as the calls would, and take nothing from the calls that
 * are really made here.
 */
export function shadowLimiter(limiter: Limiter): Limiter {
  return {
    async enter({ budgets, place }) {
      const entered = await limiter.enter({ budgets: budgets.map(apart), ...(place && { place: apart(place) }) })
      const states = entered.budgets.map(named)
      return entered.allowed ? { ...entered, budgets: states } : { ...named(entered), budgets: states }
    },
    async leave({ budgets, place }): Promise<BudgetState[]> {
      return (await limiter.leave({ budgets: budgets.map(apart), ...(place && { place: apart(place) }) })).map(named)
    },
  }
}

function apart<Kept extends { readonly key: string }>(kept: Kept): Kept {
  return { ...kept, key: APART + kept.key }
}

function named<Kept extends { readonly key: string }>(kept: Kept): Kept {
  return { ...kept, key: kept.key.slice(APART.length) }
}
