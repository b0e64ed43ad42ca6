import type { BillingFacts } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { invoiceOf } from './invoice.ts'
import { cardAt, chooseRates, type RateCard } from './rate-card.ts'

const moment = { at: new Date('2026-11-16T12:00:00Z'), schedules: {} }
const options = { ...moment, model: 'm', groupRatio: 1, quotaPerUnit: 500_000 }
const facts = (changes: Partial<BillingFacts> = {}): BillingFacts => ({
  usage: { input: 1000, output: 100 },
  inputLength: 1000,
  fees: [],
  ...changes,
})

describe('the rates of a response', () => {
  const card: RateCard = {
    rates: { input: 2, output: 10 },
    tiers: [
      { when: { inputAbove: 500 }, rates: { input: 4, output: 15 } },
      { when: { inputAbove: 500, serviceTier: 'priority' }, rates: { input: 7, output: 30 } },
      { when: { serviceTier: 'priority' }, multiply: 2 },
      { when: { region: 'us' }, multiply: 1.1 },
    ],
  }

  it('are those of the tier with the most conditions, without a multiplier on what it names', () => {
    const chosen = chooseRates(card, facts({ serviceTier: 'priority', region: 'us' }), moment)

    expect(chosen.rates).toMatchObject({ input: 7, output: 30 })
    expect(chosen.tiers).toEqual([{ inputAbove: 500, serviceTier: 'priority' }, { region: 'us' }])
  })

  it('are multiplied once for each dimension', () => {
    const short = facts({ inputLength: 500, serviceTier: 'priority', region: 'us' })

    expect(chooseRates(card, short, moment).tiers).toEqual([{ serviceTier: 'priority' }, { region: 'us' }])
    expect(invoiceOf(short, { ...options, cardsOf: () => [card] })).toMatchObject({
      lines: [
        { item: 'input', count: 1000, rate: 0.0000044 },
        { item: 'output', count: 100, rate: 0.000022 },
      ],
      quota: 3300,
    })
  })
})

describe('a card', () => {
  const old: RateCard = { effective: '2026-01-01', rates: { input: 1 } }
  const next: RateCard = { effective: '2026-07-30', until: '2026-08-31', rates: { input: 2 } }

  it('is valid from its first day to its last, and the newest counts', () => {
    const inputAt = (day: string) => cardAt([next, old], new Date(day))?.rates?.input

    expect(inputAt('2025-12-31T23:59:59Z')).toBeUndefined()
    expect(inputAt('2026-07-29T23:59:59Z')).toBe(1)
    expect(inputAt('2026-07-30T00:00:00Z')).toBe(2)
    expect(inputAt('2026-08-31T23:59:59Z')).toBe(2)
    expect(inputAt('2026-09-01T00:00:00Z')).toBe(1)
  })
})

describe('an invoice', () => {
  it('takes the highest rate for tokens without one, and says so', () => {
    const cardsOf = () => [{ rates: { input: 2, output: 10 } }]

    const invoice = invoiceOf(facts({ usage: { audioOutput: 1000 } }), { ...options, cardsOf })

    expect(invoice).toMatchObject({ quota: 5000, unpriced: ['audioOutput'] })
  })

  it('names fees without a price', () => {
    const cardsOf = () => [{ rates: { input: 2, output: 10 } }]

    const invoice = invoiceOf(facts({ fees: [{ fee: 'webSearch', count: 2 }] }), { ...options, cardsOf })

    expect(invoice).toMatchObject({ quota: 1500, unpriced: ['webSearch'] })
  })

  it('does not exist for a model without a card', () => {
    expect(invoiceOf(facts(), { ...options, cardsOf: () => undefined })).toBeUndefined()
  })
})
