import { expect, it, vi } from 'vitest'
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
function createSource() {
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

function createReservations(afterWrite = (written: Promise<void>) => written) {
  const { bank, source } = createSource()
  let now = 0
  const book = createLeaseBook({ source, now: () => now, aheadSeconds: 0 })
  const request = { requestId: 'a', userId: 1, tokenId: 2, tokenUnlimited: false }
  const reservationOf = (amount: number) =>
    new CreditReservation({ ...request, amount }, { book, journal, keepLog: () => true, afterWrite })
  return { bank, book, reservationOf, advance: (milliseconds: number) => void (now += milliseconds) }
}

/** Lease books of two processes on a source with credit for one request; each gets one account later than the other. */
function twoProcessesWithTheLastCredit(amount: number) {
  const left = { user: amount, token: amount }
  const reservationSlowAt = (slow: 'user' | 'token') => {
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
    const request = { requestId: slow, userId: 1, tokenId: 2, tokenUnlimited: false, amount }
    return new CreditReservation(request, { book, journal, keepLog: () => true, afterWrite: (written) => written })
  }
  return { left, reservations: [reservationSlowAt('token'), reservationSlowAt('user')] }
}

it('serves the last request although two processes reserve both accounts in opposite order', async () => {
  const { left, reservations } = twoProcessesWithTheLastCredit(40)

  const opened = await Promise.allSettled(reservations.map(async (reservation) => reservation.open()))

  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(left).toEqual({ user: 0, token: 0 })
})

it('leaves no credit behind if an idle account is forgotten while the other one is slow', async () => {
  const { bank, book, reservationOf, advance } = createReservations()
  bank.whileTaking = async () => {
    bank.whileTaking = async () => {}
    advance(10_000)
    await book.sweep()
  }
  const reservation = reservationOf(40)
  await reservation.open()

  reservation.release()
  advance(10_000)
  await book.sweep()

  expect(bank.leased).toEqual({ user: 0, token: 0 })
})

it('leaves no credit behind if a request that started without credit extends later', async () => {
  const { bank, book, reservationOf, advance } = createReservations()
  const reservation = reservationOf(0)
  await reservation.open()
  advance(10_000)
  await book.sweep()

  expect(await reservation.extend(30)).toBeUndefined()
  await reservation.settle(outcome(0))
  advance(10_000)
  await book.sweep()

  expect(bank.leased).toEqual({ user: 0, token: 0 })
})

it('returns an extension that arrives after the reservation was settled', async () => {
  const { bank, reservationOf, book } = createReservations()
  const reservation = reservationOf(100)
  await reservation.open()
  let finishTaking = () => {}
  bank.whileTaking = () => new Promise((resolve) => (finishTaking = resolve))
  const extended = reservation.extend(1000)
  await reservation.settle(outcome(40))
  finishTaking()
  await Promise.resolve()
  bank.whileTaking = async () => {}
  finishTaking()

  expect(await extended).toBe('settlement_unavailable')
  expect(reservation.amount).toBe(100)
  expect(book.account({ userId: 1, tokenId: 0 }).has(1)).toBe(true)
})

it('reserves, extends and releases without a promise while the leases cover it', async () => {
  const { reservationOf } = createReservations()
  const first = await reservationOf(100).open()
  first.release()

  const reservation = reservationOf(40)

  expect(reservation.open()).toBe(reservation)
  expect(reservation.extend(100)).toBeUndefined()
  expect(reservation.amount).toBe(100)
  expect(reservation.extend(101)).toBeInstanceOf(Promise)
})

it('cannot be settled or extended after a release', async () => {
  const { reservationOf } = createReservations()
  const reservation = await reservationOf(100).open()

  reservation.release()
  reservation.release()

  expect(reservation.isOpen).toBe(false)
  expect(reservation.extend(200)).toBe('settlement_unavailable')
  await expect(reservation.settle(outcome(40))).rejects.toThrow('a released reservation cannot be settled')
})

it('does not release after a failed settlement, which may have been written', async () => {
  const { book, reservationOf } = createReservations(async () => {
    throw new Error('lost the disk and the database')
  })
  const reservation = await reservationOf(100).open()

  await expect(reservation.settle(outcome(40))).rejects.toThrow('lost the disk')
  reservation.release()

  expect(reservation.isOpen).toBe(false)
  expect(book.account({ userId: 1, tokenId: 0 }).has(60)).toBe(true)
  expect(book.account({ userId: 1, tokenId: 0 }).has(61)).toBe(false)
})

it('frees the credit of a charge that cannot be written', async () => {
  const { book, reservationOf } = createReservations()
  const reservation = await reservationOf(100).open()
  const append = vi.spyOn(journal, 'append').mockImplementationOnce(() => {
    throw new RangeError('not a natural number')
  })

  await expect(reservation.settle(outcome(40))).rejects.toThrow('not a natural number')

  expect(append).toHaveBeenCalledOnce()
  expect(book.account({ userId: 1, tokenId: 0 }).has(100)).toBe(true)
})
