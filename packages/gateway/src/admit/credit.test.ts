import { describe, expect, it } from 'vitest'
import type { Settlement } from '../ports/index.ts'
import { aCaller } from '../../test/support/catalog.ts'
import { MemoryCredit } from '../../test/support/credit.ts'
import { CreditReservation } from './credit.ts'

const settlement = { receipt: { quota: 3 } } as Settlement

describe('Grant', () => {
  it('is settled once and then has nothing to release', async () => {
    const credit = new MemoryCredit()
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await reservation.settle(settlement)
    await reservation.release()

    await expect(reservation.settle(settlement)).rejects.toThrow('already settled')
    expect([credit.states(), credit.mistakes]).toEqual([['settled'], []])
  })

  it('is released once and then cannot be settled', async () => {
    const credit = new MemoryCredit()
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await reservation.release()
    await reservation.release()

    await expect(reservation.settle(settlement)).rejects.toThrow('already released')
    expect([credit.states(), credit.mistakes, credit.balance]).toEqual([['released'], [], 1_000_000_000])
  })

  it('does not give back what a failed settlement may already have booked', async () => {
    const credit = new MemoryCredit()
    credit.beforeSettle = () => Promise.reject(new Error('lost the connection'))
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await expect(reservation.settle(settlement)).rejects.toThrow('lost the connection')
    await reservation.release()

    expect(credit.states()).toEqual(['reserved'])
  })
})
