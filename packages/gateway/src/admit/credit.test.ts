import { describe, expect, it } from 'vitest'
import type { Settlement } from '../ports/index.ts'
import { aCaller } from '../../test/support/catalog.ts'
import { MemoryCredit } from '../../test/support/credit.ts'
import { Grant } from './credit.ts'

const settlement = { receipt: { quota: 3 } } as Settlement

describe('Grant', () => {
  it('is settled once and then has nothing to release', async () => {
    const credit = new MemoryCredit()
    const grant = await Grant.reserve(credit, 'r', aCaller(), 10)

    await grant.settle(settlement)
    await grant.release()

    await expect(grant.settle(settlement)).rejects.toThrow('already settled')
    expect([credit.states(), credit.mistakes]).toEqual([['settled'], []])
  })

  it('is released once and then cannot be settled', async () => {
    const credit = new MemoryCredit()
    const grant = await Grant.reserve(credit, 'r', aCaller(), 10)

    await grant.release()
    await grant.release()

    await expect(grant.settle(settlement)).rejects.toThrow('already released')
    expect([credit.states(), credit.mistakes, credit.balance]).toEqual([['released'], [], 1_000_000_000])
  })

  it('does not give back what a failed settlement may already have booked', async () => {
    const credit = new MemoryCredit()
    credit.beforeSettle = () => Promise.reject(new Error('lost the connection'))
    const grant = await Grant.reserve(credit, 'r', aCaller(), 10)

    await expect(grant.settle(settlement)).rejects.toThrow('lost the connection')
    await grant.release()

    expect(credit.states()).toEqual(['reserved'])
  })
})
