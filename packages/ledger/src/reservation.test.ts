import { expect, it } from 'vitest'
import type { Journal } from './journal/journal.ts'
import { createLeaseBook } from './leases/lease-book.ts'
import type { LeaseSource } from './leases/lease-rows.ts'
import { CreditReservation } from './reservation.ts'
import { outcome } from '../test/books.ts'

const journal = {
  append: async () => {},
  checkpoint() {},
  release() {},
} as Partial<Journal> as Journal

/** A source with a latency set by the test. */
function aBank() {
  const leased = { user: 0, token: 0 }
  const bank = { leased, whileTaking: async () => {} }
  const kind = (tokenId: number) => (tokenId === 0 ? 'user' : 'token')
  const source: LeaseSource = {
    ping: async () => {},
    async take({ tokenId }, { need }) {
      await bank.whileTaking()
      leased[kind(tokenId)] += need
      return need
    },
    async returnCredit(returned) {
      for (const { tokenId, amount } of returned) leased[kind(tokenId)] -= amount
    },
    returnAll: async () => {},
    recall: async () => false,
  }
  return { bank, source }
}

function aDesk() {
  const { bank, source } = aBank()
  let now = 0
  const book = createLeaseBook({ source, now: () => now, aheadSeconds: 0 })
  const order = { requestId: 'a', userId: 1, tokenId: 2, tokenUnlimited: false }
  const reservationOf = (amount: number) =>
    new CreditReservation({ ...order, amount }, { book, journal, keepLog: () => true, flush: async () => {} })
  return { bank, book, reservationOf, pass: (milliseconds: number) => void (now += milliseconds) }
}

/** Lease books of two processes on a source with credit for one request; each gets one account later than the other. */
function twoDesksWithTheLastCredit(amount: number) {
  const left = { user: amount, token: amount }
  const deskSlowAt = (slow: 'user' | 'token') => {
    const source: LeaseSource = {
      ping: async () => {},
      async take({ tokenId }, { need }) {
        const account = tokenId === 0 ? 'user' : 'token'
        if (account === slow) await new Promise((resolve) => setTimeout(resolve, 10))
        if (left[account] < need) return 0
        left[account] -= need
        return need
      },
      async returnCredit(returned) {
        for (const { tokenId, amount } of returned) left[tokenId === 0 ? 'user' : 'token'] += amount
      },
      returnAll: async () => {},
      recall: async () => true,
    }
    const book = createLeaseBook({ source, now: () => 0, aheadSeconds: 0 })
    const order = { requestId: slow, userId: 1, tokenId: 2, tokenUnlimited: false, amount }
    return new CreditReservation(order, { book, journal, keepLog: () => true, flush: async () => {} })
  }
  return { left, calls: [deskSlowAt('token'), deskSlowAt('user')] }
}

it('serves the last request although two processes ask for both accounts in opposite order', async () => {
  const { left, calls } = twoDesksWithTheLastCredit(40)

  const opened = await Promise.allSettled(calls.map((call) => call.open()))

  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(left).toEqual({ user: 0, token: 0 })
})

it('leaves no credit behind if an idle account is forgotten while the other one is slow', async () => {
  const { bank, book, reservationOf, pass } = aDesk()
  bank.whileTaking = async () => {
    bank.whileTaking = async () => {}
    pass(10_000)
    await book.sweep()
  }
  const reservation = reservationOf(40)
  await reservation.open()

  await reservation.release()
  pass(10_000)
  await book.sweep()

  expect(bank.leased).toEqual({ user: 0, token: 0 })
})

it('leaves no credit behind if a request that started without credit extends later', async () => {
  const { bank, book, reservationOf, pass } = aDesk()
  const reservation = reservationOf(0)
  await reservation.open()
  pass(10_000)
  await book.sweep()

  expect(await reservation.extend(30)).toBeUndefined()
  await reservation.settle(outcome(0))
  pass(10_000)
  await book.sweep()

  expect(bank.leased).toEqual({ user: 0, token: 0 })
})

it('returns an extension that arrives after the reservation was settled', async () => {
  const { bank, reservationOf, book } = aDesk()
  const reservation = reservationOf(100)
  await reservation.open()
  let isTaken = () => {}
  bank.whileTaking = () => new Promise((resolve) => (isTaken = resolve))
  const extended = reservation.extend(1000)
  await reservation.settle(outcome(40))
  isTaken()
  await Promise.resolve()
  bank.whileTaking = async () => {}
  isTaken()

  expect(await extended).toBe('settlement_unavailable')
  expect(reservation.amount).toBe(100)
  expect(book.account({ userId: 1, tokenId: 0 }).has(1)).toBe(true)
})
