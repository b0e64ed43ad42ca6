import { boundedMap, type BoundedMap } from './bounded-map.ts'
import { FREE_FAILURES } from './failure-delay.ts'
import type { FailureKey } from './limiter.ts'

export interface Failures {
  count: number
  lastMs: number
}

/**
 * Failures in this process. Anybody can make up names and change addresses, so keys that failed a few times can push out
 * only each other, never an account that has to wait.
 */
export function memoryFailures(max: number) {
  const tiers = { account: newTiers(max), address: newTiers(max) }
  const tiersOf = (key: FailureKey) => tiers[key.startsWith('account:') ? 'account' : 'address']

  return {
    get(key: FailureKey): Failures | undefined {
      const { delayed, free } = tiersOf(key)
      return delayed.get(key) ?? free.get(key)
    },
    set(key: FailureKey, failures: Failures): void {
      const { delayed, free } = tiersOf(key)
      const isDelayed = failures.count > FREE_FAILURES
      ;(isDelayed ? free : delayed).delete(key)
      ;(isDelayed ? delayed : free).set(key, failures)
    },
    delete(key: FailureKey): void {
      const { delayed, free } = tiersOf(key)
      delayed.delete(key)
      free.delete(key)
    },
  }
}

function newTiers(max: number): Record<'delayed' | 'free', BoundedMap<Failures>> {
  return { delayed: boundedMap(max), free: boundedMap(max) }
}
