import type { BillingFacts, Bucket, Fee, FeeCount } from '@tidegate/contract'
import { add, multiply, roundHalfUp, scale, toNumber, type Product } from './decimal.ts'
import { cardAt, chooseRates, type PricingMoment, type RateCard, type TierConditions } from './rate-card.ts'

export interface InvoiceLine {
  readonly item: Bucket | Fee
  readonly count: number
  /** USD for one, with every multiplier. */
  readonly rate: number
}

/** What a response costs, with every number that was used. */
export interface Invoice {
  readonly lines: readonly InvoiceLine[]
  readonly tiers: readonly TierConditions[]
  readonly usd: number
  readonly quota: number
  /** Used, and without a rate: the most expensive rate of the card was taken. */
  readonly unpriced: readonly (Bucket | Fee)[]
}

interface InvoiceOptions extends PricingMoment {
  readonly model: string
  /** All cards of a model, of any time. */
  cardsOf(model: string): readonly RateCard[] | undefined
  readonly groupRatio: number
  readonly quotaPerUnit: number
}

const NOTHING: Product = { value: 0n, factors: 0 }

/** Prices a response by the cards of its models. Undefined when one of them has no card. */
export function invoiceOf(facts: BillingFacts, options: InvoiceOptions): Invoice | undefined {
  const lines: InvoiceLine[] = []
  const tiers: TierConditions[] = []
  const unpriced: (Bucket | Fee)[] = []
  let sum = NOTHING
  const charge = (item: Bucket | Fee, count: number, rate: Product) => {
    lines.push({ item, count, rate: toNumber(rate) })
    sum = add(sum, scale(multiply(count), rate))
  }
  const cardFor = (model: string) => cardAt(options.cardsOf(model) ?? [], options.at)

  for (const part of facts.parts ?? [{ usage: facts.usage, inputLength: facts.inputLength, model: options.model }]) {
    const card = cardFor(part.model ?? options.model)
    if (!card) return undefined
    const { parts: _, ...served } = facts
    const chosen = chooseRates(card, { ...served, usage: part.usage, inputLength: part.inputLength }, options)
    tiers.push(...chosen.tiers)
    for (const [bucket, count = 0] of Object.entries(part.usage) as [Bucket, number | undefined][]) {
      if (count === 0) continue
      const rate = chosen.rateOf(bucket)
      if (!rate && bucket !== 'citation') unpriced.push(bucket)
      charge(bucket, count, rate ?? (bucket === 'citation' ? NOTHING : highestRate(chosen)))
    }
  }
  const card = cardFor(options.model)
  for (const counted of facts.fees) {
    const rate = card && feeOf(card, counted)
    if (rate !== undefined) charge(counted.fee, counted.count, multiply(rate))
    else if (!isPricedOtherwise(card, counted.fee)) unpriced.push(counted.fee)
  }
  const isUsed = lines.length > 0
  const amount = Number(roundHalfUp(scale(sum, multiply(options.quotaPerUnit, options.groupRatio))))
  return {
    lines,
    tiers,
    unpriced,
    usd: toNumber(sum),
    quota: isUsed && sum.value > 0n && options.groupRatio > 0 ? Math.max(1, amount) : amount,
  }
}

function highestRate({ rates, rateOf }: ReturnType<typeof chooseRates>): Product {
  const known = (Object.keys(rates) as Bucket[]).map((bucket) => rateOf(bucket) ?? NOTHING)
  return known.reduce((highest, rate) => (toNumber(rate) > toNumber(highest) ? rate : highest), NOTHING)
}

function feeOf({ fees = {} }: RateCard, { fee, key }: FeeCount): number | undefined {
  const price = fees[fee]
  if (typeof price === 'number' || price === undefined) return price
  return key === undefined ? Math.max(...Object.values(price)) : price[key]
}

/** Some models bill every query of a search, others the prompt that led to it. */
const ALTERNATIVES: Readonly<Partial<Record<Fee, Fee>>> = {
  webSearchQuery: 'groundedPrompt',
  groundedPrompt: 'webSearchQuery',
}

function isPricedOtherwise(card: RateCard | undefined, fee: Fee): boolean {
  const other = ALTERNATIVES[fee]
  return other !== undefined && card?.fees?.[other] !== undefined
}
