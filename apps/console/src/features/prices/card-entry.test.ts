import type { RateCard } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { cardEntryOf, cardEntryProblems, cardOf, newFee, newTier, type CardEntry } from './card-entry.ts'

const CARD: RateCard = {
  rates: { input: 2, cacheRead: 0.2, output: 10 },
  tiers: [
    { when: { inputAbove: 272_000, inclusive: true }, rates: { input: 4, output: 15 } },
    { when: { serviceTier: 'priority' }, multiply: 2 },
    { when: { region: 'us' }, multiply: { input: 1.1 } },
  ],
  fees: { webSearch: 0.01, imageBySizeQuality: { 'high 1024x1024': 0.04, 'low 1024x1024': 0.01 } },
  imageEstimate: { 'high 1024x1024': 0.04 },
}
const entry = cardEntryOf(CARD)
const problems = (changed: CardEntry, schedules = {}) => Object.fromEntries(cardEntryProblems(changed, schedules))
const [length, priority] = entry.tiers as [CardEntry['tiers'][0], CardEntry['tiers'][0]]

describe('the form of a rate card', () => {
  it('keeps every part of a stored card', () => {
    expect(cardOf(entry)).toEqual(CARD)
    expect(problems(entry)).toEqual({})
  })

  it('omits blank fields', () => {
    expect(cardOf(cardEntryOf({ rates: { input: 0 } }))).toEqual({ rates: { input: 0 } })
  })

  it.each<[string, CardEntry, object]>([
    ['a text in place of a rate', { ...entry, rates: { ...entry.rates, input: 'dear' } }, { 'rates.input': 'number' }],
    ['a negative rate', { ...entry, rates: { ...entry.rates, output: '-1' } }, { 'rates.output': 'negative' }],
    ['a rate above the limit', { ...entry, rates: { ...entry.rates, input: '100001' } }, { 'rates.input': 'tooLarge' }],
    ['an empty card', cardEntryOf({}), { card: 'card_empty' }],
    [
      'tiers without an output rate',
      { ...entry, rates: { ...entry.rates, output: '' } },
      { 'rates.output': 'output_missing' },
    ],
    [
      'a fraction as input length',
      { ...entry, tiers: [{ ...length, inputAbove: '1.5' }] },
      { [`tiers.${length.id}.inputAbove`]: 'whole' },
    ],
    [
      'a multiplier by input length',
      { ...entry, tiers: [{ ...priority, serviceTier: '', inputAbove: '5' }] },
      { [`tiers.${priority.id}`]: 'multiplier_conditions' },
    ],
    [
      'unknown hours',
      { ...entry, tiers: [{ ...priority, serviceTier: '', schedule: 'night' }] },
      { [`tiers.${priority.id}`]: 'schedule_unknown' },
    ],
    [
      'the same tier twice',
      { ...entry, tiers: [priority, { ...priority, id: 9001, multiply: '3' }] },
      { 'tiers.9001': 'repeated' },
    ],
  ])('names the field of %s', (_, changed, expected) => {
    expect(problems(changed)).toEqual(expected)
  })

  it('requires a condition and a price of a new tier, and the amount of a new fee', () => {
    const tier = newTier()
    const fee = newFee('fileSearch')

    expect(problems({ ...entry, tiers: [tier] })).toEqual({ [`tiers.${tier.id}`]: 'effect_missing' })
    expect(problems({ ...entry, fees: [fee] })).toEqual({ [`fees.${fee.id}.amount`]: 'required' })
  })

  it('requires a variant if a fee has several prices', () => {
    const [one, other] = [newFee('image'), newFee('image')].map((fee) => ({ ...fee, amount: '1' }))

    expect(problems({ ...entry, fees: [one!, { ...other!, variant: 'large' }] })).toEqual({
      [`fees.${one!.id}.variant`]: 'required',
    })
    const large = { ...one!, variant: 'large' }
    expect(problems({ ...entry, fees: [large, { ...other!, variant: 'large' }] })).toEqual({
      [`fees.${other!.id}.variant`]: 'repeated',
    })
  })

  it('names a tier that can apply together with another one', () => {
    const fast = { ...length, id: 9002, inputAbove: '', inclusive: false, speed: 'fast' }

    expect(problems({ ...entry, tiers: [length, fast] })).toEqual({ 'tiers.9002': 'tiers_ambiguous' })
  })
})
