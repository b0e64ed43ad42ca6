import { stat } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLeaseBook } from './lease-book.ts'
import type { AccountId, LeaseAmounts, LeaseSource } from './lease-rows.ts'

const ACCOUNT = { userId: 1, tokenId: 0 }
const DEADLINE_MS = 2_500

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A database with one account. While it is frozen, it queues queries and runs them afterwards. */
function freezableSource(balance: number, overrides: Partial<LeaseSource> = {}, { deadlineMs = DEADLINE_MS } = {}) {
  const state = { balance, leased: 0, trips: 0 }
  let frozen: PromiseWithResolvers<void> | undefined
  const whenThawed = () => Promise.resolve(frozen?.promise)
  const source: LeaseSource = {
    ping: whenThawed,
    async take(_, { need, minimum = need }) {
      state.trips += 1
      await whenThawed()
      const amount = state.balance >= minimum ? Math.min(need, state.balance) : 0
      state.balance -= amount
      state.leased += amount
      return amount
    },
    async returnCredit(returned) {
      await whenThawed()
      for (const { amount } of returned) {
        state.balance += amount
        state.leased -= amount
      }
    },
    async returnAll() {
      await whenThawed()
      state.balance += state.leased
      state.leased = 0
    },
    recall: async () => false,
    ...overrides,
  }
  const book = createLeaseBook({ source, now: () => performance.now(), aheadSeconds: 3, deadlineMs })
  return {
    state,
    source,
    book,
    account: () => book.account(ACCOUNT),
    freeze: () => void (frozen ??= Promise.withResolvers<void>()),
    async thaw() {
      frozen?.resolve()
      frozen = undefined
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

/** The result of a reservation, once there is one. */
function follow(reserved: Promise<number> | number) {
  const outcome: { granted?: number; failed?: string } = {}
  Promise.resolve(reserved).then(
    (granted) => (outcome.granted = granted),
    (error: Error) => (outcome.failed = error.message),
  )
  return outcome
}

it('rejects each waiting request at its own deadline, and keeps credit that arrives later', async () => {
  const { state, account, freeze, thaw } = freezableSource(100)
  freeze()
  const first = follow(account().reserve(40))
  await vi.advanceTimersByTimeAsync(1_000)
  const second = follow(account().reserve(30))

  await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1_000)
  expect([first, second]).toEqual([{ failed: expect.stringContaining('did not respond') }, {}])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(second).toEqual({ failed: expect.stringContaining('did not respond') })

  await thaw()
  expect(state).toMatchObject({ balance: 60, leased: 40, trips: 1 })
  expect(account().reserve(40)).toBe(40)
})

it('serves a waiting request if the response comes before its deadline', async () => {
  const { account, freeze, thaw } = freezableSource(100)
  freeze()
  const waiting = follow(account().reserve(40))
  await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1)
  await thaw()

  expect(waiting).toEqual({ granted: 40 })
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)
  expect(waiting).toEqual({ granted: 40 })
})

it('waits for a source that is slow but responds', async () => {
  const slowly = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(resolve, 1_500, value))
  const amounts = [0, 0, 40]
  const { account } = freezableSource(100, { recall: () => slowly(true), take: () => slowly(amounts.shift()!) })
  const waiting = follow(account().reserve(40))

  await vi.advanceTimersByTimeAsync(10_000)

  expect(waiting).toEqual({ granted: 40 })
})

it('serves requests from free credit while a query is overdue, and rejects others at once', async () => {
  const { state, account, freeze } = freezableSource(1000)
  await account().reserve(100)
  account().settle(100, 0)
  freeze()
  void follow(account().reserve(500))
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)

  expect(account().reserve(60)).toBe(60)
  await expect(account().reserve(60)).rejects.toThrow('did not respond')
  account().settle(60, 10)
  expect(account().reserve(90)).toBe(90)
  expect(state.trips).toBe(2)
})

it('serves a request behind one that is too large from free credit, at the latest when that one fails', async () => {
  const { account, freeze } = freezableSource(1000)
  await account().reserve(100)
  account().settle(100, 0)
  freeze()
  const large = follow(account().reserve(500))
  await vi.advanceTimersByTimeAsync(1_000)
  const small = follow(account().reserve(60))
  await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1_000)

  expect([large, small]).toEqual([{ failed: expect.any(String) }, { granted: 60 }])
})

it('reserves free credit for a request that accepts less', async () => {
  const { account, freeze } = freezableSource(1000)
  await account().reserve(100)
  account().settle(100, 1)
  freeze()
  const first = follow(account().reserve(100, { minimum: 20, leaveHalf: true }))
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)

  expect(first).toEqual({ granted: 49 })
  expect(account().reserve(100, { minimum: 20 })).toBe(50)
  await expect(account().reserve(100, { minimum: 20 })).rejects.toThrow('did not respond')
})

it('does not return idle credit while the source does not respond', async () => {
  const { state, book, account, freeze, thaw } = freezableSource(100)
  await account().reserve(100)
  account().settle(100, 0)
  freeze()
  await vi.advanceTimersByTimeAsync(10_000)
  const sweep = book.sweep()
  await vi.advanceTimersByTimeAsync(0)

  expect(account().reserve(70)).toBe(70)
  account().settle(70, 70)
  await vi.advanceTimersByTimeAsync(10_000)
  state.leased -= 70 // settled in the database
  await thaw()
  await sweep
  await book.sweep()
  expect(state).toMatchObject({ balance: 30, leased: 0 })
})

it('keeps an account in use whose query failed while the source does not respond', async () => {
  const { source, account, book, freeze } = freezableSource(1000)
  await account().reserve(100)
  account().settle(100, 0)
  const { take } = source
  vi.spyOn(source, 'take').mockRejectedValueOnce(new Error('connection lost'))
  await expect(account().reserve(500)).rejects.toThrow('connection lost')
  source.take = take
  freeze()
  void book.sweep()
  await vi.advanceTimersByTimeAsync(0)

  expect(account().reserve(80)).toBe(80)
})

it('serves a request if the response arrived while the process was busy', async () => {
  vi.useRealTimers()
  const { book } = freezableSource(100, { take }, { deadlineMs: 50 })
  // Responses are read by the event loop, and some leases need a second query.
  async function take(_: AccountId, { need }: LeaseAmounts): Promise<number> {
    const response = stat('.')
    const busyUntil = performance.now() + 100
    while (performance.now() < busyUntil);
    await response
    await stat('.')
    return need
  }

  expect(await book.account(ACCOUNT).reserve(40)).toBe(40)
})
