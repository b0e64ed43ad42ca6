import type { BillingFacts, Bucket, Fee } from '@tidegate/contract'
import { multiply, type Product } from './decimal.ts'

/** USD per 1,000,000 tokens. */
export type Rates = Readonly<Partial<Record<Bucket, number>>>

/** All that are given must hold. */
export interface TierConditions {
  /** Total input above so many tokens, or at least so many. */
  readonly inputAbove?: number
  readonly inclusive?: boolean
  readonly serviceTier?: 'priority' | 'ultrafast' | 'flex' | 'batch'
  readonly speed?: 'fast'
  readonly region?: 'us' | 'eu'
  /** A named set of hours. */
  readonly schedule?: string
}

/** Replaces the rates it names, or multiplies all token rates or those it names. Fees stay as they are. */
export interface Tier {
  readonly when: TierConditions
  readonly rates?: Rates
  readonly multiply?: number | Rates
}

/** The price list of a model for a period. */
export interface RateCard {
  /** The first day or moment in UTC, as ISO 8601; from the beginning when left out. */
  readonly effective?: string
  /** The last day, or the moment it ends. */
  readonly until?: string
  readonly rates?: Rates
  readonly tiers?: readonly Tier[]
  /** USD per unit, or by a key such as the size of an image. */
  readonly fees?: Readonly<Partial<Record<Fee | 'webSearchInputBlock', number | Readonly<Record<string, number>>>>>
}

/** Hours of weekdays in UTC, from and to. */
export interface Schedule {
  readonly utc: readonly (readonly [from: string, to: string])[]
  readonly days: 'Mon-Fri' | 'every'
}

export interface PricingMoment {
  readonly at: Date
  readonly schedules: Readonly<Record<string, Schedule>>
}

/** The rates that apply to a response, and what they are multiplied by. */
export interface ChosenRates {
  readonly rates: Rates
  readonly tiers: readonly TierConditions[]
  /** The whole rate of a bucket per token, or nothing when the card has none for it. */
  rateOf(bucket: Bucket): Product | undefined
}

/** The card that was valid at a moment: of several, the one that took effect last. */
export function cardAt(cards: readonly RateCard[], at: Date): RateCard | undefined {
  const moment = at.getTime()
  return cards
    .filter((card) => startOf(card) <= moment && moment < endOf(card))
    .toSorted((one, other) => startOf(one) - startOf(other))
    .at(-1)
}

const DAY_MS = 86_400_000

function startOf({ effective }: RateCard): number {
  return effective === undefined ? 0 : Date.parse(effective)
}

/** A card whose end is a day is valid for the whole of it. */
function endOf({ until }: RateCard): number {
  if (until === undefined) return Infinity
  return Date.parse(until) + (until.length === 'YYYY-MM-DD'.length ? DAY_MS : 0)
}

/**
 * Chooses by what the response reports. Of the tiers with rates that match, the one with the most conditions counts, then
 * the one with the highest input length. Tiers with multipliers follow, except on a dimension the chosen rates name.
 */
export function chooseRates(card: RateCard, facts: BillingFacts, moment: PricingMoment): ChosenRates {
  const matching = (card.tiers ?? []).filter(({ when }) => matches(when, facts, moment))
  const replacing = matching
    .filter(({ rates }) => rates !== undefined)
    .toSorted((one, other) => rank(one.when) - rank(other.when) || length(one.when) - length(other.when))
    .at(-1)
  const named = new Set(replacing ? DIMENSIONS.filter((name) => replacing.when[name] !== undefined) : [])
  const multiplying = DIMENSIONS.filter((name) => !named.has(name)).flatMap((name) => {
    const tier = matching.findLast(({ when, multiply: by }) => by !== undefined && when[name] !== undefined)
    return tier ? [tier] : []
  })
  const rates = { ...card.rates, ...replacing?.rates }
  return {
    rates,
    tiers: [...(replacing ? [replacing] : []), ...multiplying].map(({ when }) => when),
    rateOf(bucket) {
      const source = sourceOf(bucket, rates)
      if (source === undefined) return undefined
      const factors = multiplying.map(({ multiply: by = 1 }) => (typeof by === 'number' ? by : (by[source] ?? 1)))
      return multiply(rates[source]!, PER_TOKEN, ...factors)
    },
  }
}

const PER_TOKEN = 0.000001
const DIMENSIONS = ['serviceTier', 'speed', 'region', 'schedule'] as const

function rank(when: TierConditions): number {
  return DIMENSIONS.filter((name) => when[name] !== undefined).length + (when.inputAbove === undefined ? 0 : 1)
}

function length({ inputAbove = 0 }: TierConditions): number {
  return inputAbove
}

function matches(when: TierConditions, facts: BillingFacts, moment: PricingMoment): boolean {
  const { inputAbove, inclusive = false, serviceTier, speed, region, schedule } = when
  if (inputAbove !== undefined && !(inclusive ? facts.inputLength >= inputAbove : facts.inputLength > inputAbove)) {
    return false
  }
  if (serviceTier !== undefined && serviceTier !== tierServed(facts)) return false
  if (speed !== undefined && speed !== facts.speed) return false
  if (region !== undefined && region !== facts.region) return false
  return schedule === undefined || isWithin(moment.schedules[schedule], moment.at)
}

/** GPT-6 reports `fast` for what older models report as `priority`. */
function tierServed({ serviceTier }: BillingFacts): string | undefined {
  return serviceTier === 'fast' ? 'priority' : serviceTier
}

function isWithin(schedule: Schedule | undefined, at: Date): boolean {
  if (!schedule) return false
  const day = at.getUTCDay()
  if (schedule.days === 'Mon-Fri' && (day === 0 || day === 6)) return false
  const time = at.toISOString().slice(11, 16)
  return schedule.utc.some(([from, to]) => from <= time && time < to)
}

/** Where a card has no rate of its own for a bucket. Output of any kind has none to fall back to. */
const FALLBACKS: Readonly<Partial<Record<Bucket, Bucket>>> = {
  reasoning: 'output',
  imageInput: 'input',
  imageCached: 'cacheRead',
  audioCached: 'cacheRead',
  cacheRead: 'input',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
}

function sourceOf(bucket: Bucket, rates: Rates): Bucket | undefined {
  for (let name: Bucket | undefined = bucket; name !== undefined; name = FALLBACKS[name]) {
    if (rates[name] !== undefined) return name
  }
  return undefined
}
