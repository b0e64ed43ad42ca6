import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConcurrencyLease } from './limiter.ts'
import { withLeaseRenewal } from './create-limiter.ts'
import { memoryLimiter } from './memory-limiter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aLease = (holder: string): ConcurrencyLease => ({ key: 'k', limit: 1, holder })

it('holds a concurrency lease while its request runs, and releases it afterwards', async () => {
  const store = memoryLimiter()
  const limiter = withLeaseRenewal(store)
  limiter.acquire({ budgets: [], lease: aLease('long stream') })

  await vi.advanceTimersByTimeAsync(3_600_000)
  const whileRunning = store.acquire({ budgets: [], lease: aLease('other') })
  limiter.release({ budgets: [], lease: aLease('long stream') })
  const afterwards = store.acquire({ budgets: [], lease: aLease('other') })

  expect([whileRunning.allowed, afterwards.allowed]).toEqual([false, true])
  expect(vi.getTimerCount()).toBe(0)
})

it('frees the leases of a dead process within a minute', async () => {
  const store = memoryLimiter()
  store.acquire({ budgets: [], lease: aLease('dead') })

  await vi.advanceTimersByTimeAsync(60_000)

  expect(store.acquire({ budgets: [], lease: aLease('other') }).allowed).toBe(true)
})

it('does not hold a rejected lease, and continues after a failed renewal', async () => {
  const store = memoryLimiter()
  let renewals = 0
  const limiter = withLeaseRenewal({
    ...store,
    renew() {
      renewals += 1
      return Promise.reject(new Error('gone'))
    },
  })
  limiter.acquire({ budgets: [], lease: aLease('first') })
  limiter.acquire({ budgets: [], lease: aLease('rejected') })

  await vi.advanceTimersByTimeAsync(40_000)
  limiter.release({ budgets: [], lease: aLease('first') })

  expect(renewals).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})
