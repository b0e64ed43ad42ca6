import { describe, expect, it } from 'vitest'
import type { Settlement } from '../ports/index.ts'
import { aCaller } from '../../test/support/catalog.ts'
import { MemoryCredit } from '../../test/support/credit.ts'
import { CreditReservation } from './credit.ts'

const settlement = { receipt: { quota: 3 } } as Settlement

describe('CreditReservation', () => {
  it('is settled once, and a release after that does nothing', async () => {
    const credit = new MemoryCredit()
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await reservation.settle(settlement)
    await reservation.release()

    await expect(reservation.settle(settlement)).rejects.toThrow('already settled')
    expect([credit.states(), credit.mistakes]).toEqual([['settled'], []])
  })

  it('is released once, and cannot be settled after that', async () => {
    const credit = new MemoryCredit()
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await reservation.release()
    await reservation.release()

    await expect(reservation.settle(settlement)).rejects.toThrow('already released')
    expect([credit.states(), credit.mistakes, credit.balance]).toEqual([['released'], [], 1_000_000_000])
  })

  it('does not release after a failed settlement, which may have been written', async () => {
    const credit = new MemoryCredit()
    credit.beforeSettle = () => Promise.reject(new Error('lost the connection'))
    const reservation = await CreditReservation.reserve(credit, 'r', aCaller(), 10)

    await expect(reservation.settle(settlement)).rejects.toThrow('lost the connection')
    await reservation.release()

    expect(credit.states()).toEqual(['reserved'])
  })
})
