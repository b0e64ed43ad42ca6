import {
  SCHEDULES,
  type Bucket,
  type RateCard,
  type Rates,
  type ServiceTerms,
  type Tier,
  type TierConditions,
} from '@tidegate/contract'
import { multiply, scale, toNumber, toRate, type Product } from './decimal.ts'

/** The criteria for a tier. */
export interface ServedRequest extends Pick<ServiceTerms, 'serviceTier' | 'speed' | 'region'> {
  /** Every token that counts towards a tier by input length. */
  readonly inputLength: number
  readonly at: Date
}

/** The rates for a response, and the tiers they come from. */
export interface ChosenRates {
  readonly rates: Rates
  readonly tiers: readonly TierConditions[]
  /** The response was served in a tier that the card has no price for. */
  readonly hasUnpricedTier: boolean
  /** The rate of a bucket including multipliers, or undefined if the card has none. */
  rateOf(bucket: Bucket): PricedRate | undefined
}

export interface PricedRate {
  readonly product: Product
  /** For comparisons. */
  readonly value: number
  /** Quota for 1,000,000 tokens, by the quota for a rate of 1. */
  readonly quota: Map<number, number>
}

/** The card that is valid at a time: of several, the one that took effect last. */
export function cardAt(cards: readonly RateCard[], at: Date): RateCard | undefined {
  const [only, ...others] = cards
  if (only && others.length === 0 && only.effective === undefined && only.until === undefined) return only
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

/** If the end is a date, the card is valid for that whole day. */
function endOf({ until }: RateCard): number {
  if (until === undefined) return Infinity
  return Date.parse(until) + (until.length === 'YYYY-MM-DD'.length ? DAY_MS : 0)
}

/**
 * Chooses rates by how a request was served. Of the matching tiers with rates, the one with the most conditions wins,
 * then the one with the highest input length. Multipliers apply afterwards, except on a dimension that the chosen tier
 * names.
 */
export function chooseRates(card: RateCard, served: ServedRequest): ChosenRates {
  const { tiers = [] } = card
  const { priced, isUnpriced } = servedTier(card, served)
  let key = isUnpriced ? '!' : ''
  for (const { when } of tiers) key += matches(when, served, priced) ? '1' : '0'
  let known = chosen.get(card)
  if (!known) chosen.set(card, (known = new Map()))
  let rates = known.get(key)
  if (!rates) {
    const matching = tiers.filter(({ when }) => matches(when, served, priced))
    known.set(key, (rates = combineTiers(card, matching, isUnpriced)))
  }
  return rates
}

/** Cached by card and matching tiers, because every request needs them several times. */
const chosen = new WeakMap<RateCard, Map<string, ChosenRates>>()

function combineTiers(card: RateCard, matching: readonly Tier[], hasUnpricedTier: boolean): ChosenRates {
  const replacing = matching
    .filter(({ rates }) => rates !== undefined)
    .toSorted((one, other) => rank(one.when) - rank(other.when) || length(one.when) - length(other.when))
    .at(-1)
  const named = new Set(replacing ? DIMENSIONS.filter((name) => replacing.when[name] !== undefined) : [])
  const multiplying = DIMENSIONS.filter((name) => !named.has(name)).flatMap((name) => {
    const tier = matching.findLast(({ when, multiply: by }) => by !== undefined && when[name] !== undefined)
    return tier ? [tier] : []
  })
  const rates = replacing ? { ...card.rates, ...replacing.rates } : (card.rates ?? {})
  const products = new Map<Bucket, PricedRate | undefined>()
  const find = (bucket: Bucket): PricedRate | undefined => {
    const source = sourceOf(bucket, rates)
    if (source === undefined) return undefined
    const factors = multiplying.map(({ multiply: by = 1 }) => (typeof by === 'number' ? by : (by[source] ?? 1)))
    const product = multiply(rates[source]!, ...factors)
    return { product, value: toNumber(product), quota: new Map() }
  }
  return {
    rates,
    tiers: [...(replacing ? [replacing] : []), ...multiplying].map(({ when }) => when),
    hasUnpricedTier,
    rateOf(bucket) {
      if (!products.has(bucket)) products.set(bucket, find(bucket))
      return products.get(bucket)
    },
  }
}

/** Quota for 1,000,000 tokens at a rate. */
export function quotaRate(rate: PricedRate, quotaPerRate: number): number {
  let quota = rate.quota.get(quotaPerRate)
  if (quota === undefined) rate.quota.set(quotaPerRate, (quota = toRate(scale(rate.product, multiply(quotaPerRate)))))
  return quota
}

const DIMENSIONS = ['serviceTier', 'speed', 'region', 'schedule'] as const

function rank(when: TierConditions): number {
  return DIMENSIONS.filter((name) => when[name] !== undefined).length + (when.inputAbove === undefined ? 0 : 1)
}

function length({ inputAbove = 0 }: TierConditions): number {
  return inputAbove
}

function matches(when: TierConditions, served: ServedRequest, tier: string | undefined): boolean {
  const { inputAbove, inclusive = false, serviceTier, speed, region, schedule } = when
  if (inputAbove !== undefined && !(inclusive ? served.inputLength >= inputAbove : served.inputLength > inputAbove)) {
    return false
  }
  if (serviceTier !== undefined && serviceTier !== tier) return false
  if (speed !== undefined && speed !== served.speed) return false
  if (region !== undefined && region !== served.region) return false
  return schedule === undefined || isWithin(schedule, served.at)
}

const STANDARD: { priced?: string; isUnpriced: boolean } = { isUnpriced: false }

/** GPT-6 names for what older models call `priority`. */
const SAME_TIERS: Readonly<Record<string, string>> = { fast: 'priority' }
const CHEAPER_TIERS = new Set(['flex', 'batch'])

/**
 * The tier to price a response by. An unknown tier costs as much as the most expensive known one, unless providers sell
 * it at a discount.
 */
function servedTier(
  { tiers = [] }: RateCard,
  { serviceTier }: ServedRequest,
): { priced?: string; isUnpriced: boolean } {
  if (serviceTier === undefined) return STANDARD
  const name = SAME_TIERS[serviceTier] ?? serviceTier
  const priced = tiers.flatMap(({ when }) => (when.serviceTier === undefined ? [] : [when.serviceTier]))
  if (priced.some((tier) => tier === name)) return { priced: name, isUnpriced: false }
  if (CHEAPER_TIERS.has(name)) return { isUnpriced: true }
  const highest = (['ultrafast', 'priority'] as const).find((tier) => priced.includes(tier))
  return { ...(highest && { priced: highest }), isUnpriced: true }
}

/** Whether the card names the tier. */
export function isTierPriced({ tiers = [] }: RateCard, name: string): boolean {
  return tiers.some(({ when }) => when.serviceTier === (SAME_TIERS[name] ?? name))
}

function isWithin(name: string, at: Date): boolean {
  const schedule = SCHEDULES[name]
  if (!schedule) return false
  const day = at.getUTCDay()
  if (schedule.days === 'Mon-Fri' && (day === 0 || day === 6)) return false
  const time = at.toISOString().slice(11, 16)
  return schedule.utc.some(([from, to]) => from <= time && time < to)
}

/** Buckets without a rate use the rate of another bucket. Output has no fallback. */
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
