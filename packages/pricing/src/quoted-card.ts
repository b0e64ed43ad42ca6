import { listedModel, type Bucket, type RateCard, type Rates, type Tier } from '@tidegate/contract'
import { multiply, toNumber } from './decimal.ts'
import type { PriceBook } from './price-book.ts'
import type { ModelPrice, TokenPrice } from './price.ts'
import { cardAt } from './rate-card.ts'

export type RateCardQuote = Pick<RateCard, 'rates' | 'tiers' | 'fees'>

/** The prices of a model at a time in USD, including a group ratio. */
export function quoteRateCard(
  book: Pick<PriceBook, 'ModelRates'>,
  price: ModelPrice,
  groupRatio: number,
  at: Date,
): RateCardQuote {
  if (price.kind === 'call') return quoteFees(price.fees, groupRatio)
  const card = cardAt(price.cards, at) ?? {}
  const usdPerRate = price.quotaPerRate / price.quotaPerUnit
  const isShown = shownBuckets(book, price, at)
  const inUsd = (rates: Rates): Rates =>
    mapAmounts(rates, (rate, bucket) => (isShown(bucket) ? product(rate, usdPerRate, groupRatio) : undefined))
  const rates = inUsd(card.rates ?? {})
  const tiers = card.tiers?.map((tier): Tier => (tier.rates ? { ...tier, rates: inUsd(tier.rates) } : tier))
  return {
    ...(Object.keys(rates).length > 0 && { rates }),
    ...(tiers && tiers.length > 0 && { tiers }),
    ...quoteFees(card.fees, groupRatio),
  }
}

const TEXT_BUCKETS: ReadonlySet<Bucket> = new Set<Bucket>(['input', 'cacheRead', 'output'])

/** Ratios give a rate for every bucket, also for those the model does not use: these are omitted. */
function shownBuckets({ ModelRates }: Pick<PriceBook, 'ModelRates'>, { priceName, cards }: TokenPrice, at: Date) {
  if (Object.hasOwn(ModelRates, priceName)) return () => true
  const listed = cardAt(listedModel(priceName)?.prices ?? [], at)?.rates
  const { input = 0, cacheRead = input } = cardAt(cards, at)?.rates ?? {}
  return (bucket: Bucket) => {
    if (listed?.[bucket] !== undefined) return true
    return TEXT_BUCKETS.has(bucket) && (bucket !== 'cacheRead' || cacheRead < input)
  }
}

function quoteFees(fees: RateCard['fees'], groupRatio: number): Pick<RateCard, 'fees'> {
  if (!fees || Object.keys(fees).length === 0) return {}
  const scaled = Object.entries(fees).map(([fee, amount]) => {
    // A token count, which ratios do not change.
    if (fee === 'webSearchInputBlock') return [fee, amount]
    if (typeof amount === 'number') return [fee, product(amount, groupRatio)]
    return [fee, mapAmounts(amount, (one) => product(one, groupRatio))]
  })
  return { fees: Object.fromEntries(scaled) as NonNullable<RateCard['fees']> }
}

function mapAmounts<Amounts extends Readonly<Record<string, number>> | Rates>(
  amounts: Amounts,
  change: (amount: number, key: keyof Amounts & Bucket) => number | undefined,
): Amounts {
  const changed = Object.entries(amounts).flatMap(([key, amount]) => {
    const next = change(amount, key as keyof Amounts & Bucket)
    return next === undefined ? [] : [[key, next]]
  })
  return Object.fromEntries(changed) as Amounts
}

/** Ten digits show the price as it was entered. */
function product(...factors: readonly number[]): number {
  return Number(toNumber(multiply(...factors)).toPrecision(10))
}
