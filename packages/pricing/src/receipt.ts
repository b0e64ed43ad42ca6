import {
  BUCKETS,
  inputTokens,
  UNIT_FEES,
  type Bucket,
  type Fee,
  type FeeCount,
  type RateCard,
  type ServiceTerms,
  type TierConditions,
  type TokenCounts,
  type UsagePart,
} from '@tidegate/contract'
import { add, multiply, roundHalfUp, scale, times, toFixed, toRate, type Product } from './decimal.ts'
import type { CallPrice, ModelPrice, TokenPrice } from './price.ts'
import { cardAt, chooseRates, quotaRate, type ChosenRates, type PricedRate } from './rate-card.ts'
import { assertCountable, completionTokens, promptTokens, type Usage } from './usage.ts'

/** One line of a receipt. */
export interface ReceiptLine {
  readonly item: Bucket | Fee | 'call' | 'pieces' | 'minimum'
  readonly count: number
  /** Quota for 1,000,000 tokens, or for one unit of anything else, before the group ratio. */
  readonly rate: number
}

/** An itemised price with every number needed to recompute it. */
export interface Receipt {
  readonly quota: number
  readonly price: ModelPrice
  readonly lines: readonly ReceiptLine[]
  /** The conditions of the tiers that were applied. */
  readonly tiers: readonly TierConditions[]
  /** Used but without a price: billed at the highest rate of the card, or not billed if there is none. */
  readonly unpriced: readonly (Bucket | Fee | 'serviceTier')[]
  readonly estimated: boolean
  /** When the request began; prices of that time apply. */
  readonly at: Date
}

/** A receipt under construction. */
interface Draft {
  readonly lines: ReceiptLine[]
  readonly tiers: TierConditions[]
  readonly unpriced: Receipt['unpriced'][number][]
}

/** `at` is when the request began. Throws a RangeError for invalid counts and prices, and for unsafe amounts. */
export function computeReceipt(price: ModelPrice, usage: Usage, at: Date = new Date()): Receipt {
  assertCountable(usage)
  const fees = usage.terms?.fees ?? []
  const isUsed = promptTokens(usage) + completionTokens(usage) > 0 || fees.length > 0
  const draft: Draft = { lines: [], tiers: [], unpriced: [] }
  if (isUsed && price.kind === 'call') {
    draft.lines.push(callLine(price, usage))
    chargeFees(draft, price.fees ?? {}, fees, price.quotaPerUnit)
  } else if (isUsed && price.kind === 'token') {
    // Billed as tokens, images would be nearly free.
    if (usage.pieces !== undefined) throw new RangeError('pieces are not billed by tokens')
    const parts: readonly UsagePart[] = usage.terms?.parts ?? [usage]
    for (const part of parts) {
      const ofPart = (part.model === undefined ? undefined : price.priceOfPart?.(part.model)) ?? price
      chargeTokens(draft, ofPart, part, usage.terms, at)
      if (part.fees) chargeFees(draft, pricedFees(ofPart, at), part.fees, price.quotaPerUnit)
    }
    const priced = pricedFees(price, at)
    chargeFees(draft, priced, withRequest(priced, fees), price.quotaPerUnit)
    if (!isFree(price, at) && draft.lines.every(({ rate }) => rate === 0)) draft.lines.push(MINIMUM)
  }
  return { quota: quotaOf(draft.lines, price.groupRatio), price, ...draft, estimated: usage.estimated, at }
}

/** A request to a model with a price costs at least 1, even if all its tokens are free. */
const MINIMUM: ReceiptLine = { item: 'minimum', count: 1, rate: 1e-12 }

function isFree({ cards, quotaPerRate }: TokenPrice, at: Date): boolean {
  return quotaPerRate === 0 || !cardAt(cards, at)?.rates?.input
}

export function callLine(
  { callPrice, image, quotaPerUnit }: CallPrice,
  { pieces }: Pick<Usage, 'pieces'>,
): ReceiptLine {
  const ratios = image ? [image.sizeRatio, image.qualityRatio, image.modelRatio] : []
  const rate = toRate(multiply(callPrice, quotaPerUnit, ...ratios))
  return { item: pieces === undefined ? 'call' : 'pieces', count: pieces ?? 1, rate }
}

function chargeTokens(
  draft: Draft,
  price: TokenPrice,
  counts: TokenCounts,
  terms: ServiceTerms | undefined,
  at: Date,
): void {
  const card = cardAt(price.cards, at)
  if (!card?.rates) {
    // Sold by units: tokens are listed at no cost.
    for (const item of BUCKETS) if (counts[item] > 0) draft.lines.push({ item, count: counts[item], rate: 0 })
    return
  }
  const inputLength = terms?.parts ? inputTokens(counts) : (terms?.inputLength ?? inputTokens(counts))
  const chosen = chooseRates(card, { ...terms, inputLength, at })
  draft.tiers.push(...chosen.tiers)
  if (chosen.hasUnpricedTier) draft.unpriced.push('serviceTier')
  for (const item of BUCKETS) {
    const count = counts[item]
    if (count === 0) continue
    const rate = chosen.rateOf(item)
    if (!rate && item !== 'citation') draft.unpriced.push(item)
    const charged = rate ?? (item === 'citation' ? undefined : highestRate(chosen))
    draft.lines.push({ item, count, rate: charged ? quotaRate(charged, price.quotaPerRate) : 0 })
  }
}

const ZERO: Product = { value: 0n, factors: 0 }

function highestRate({ rates, rateOf }: ChosenRates): PricedRate | undefined {
  const known = (Object.keys(rates) as Bucket[]).flatMap((bucket) => rateOf(bucket) ?? [])
  return known.toSorted((one, other) => other.value - one.value)[0]
}

type Fees = NonNullable<RateCard['fees']>

/** If a response reports no tokens, images are estimated by size and quality. */
function pricedFees({ cards }: TokenPrice, at: Date): Fees {
  const { imageEstimate, fees } = cardAt(cards, at) ?? {}
  const isSoldByPiece = (fees?.image ?? fees?.imageBySizeQuality) !== undefined
  return { ...(imageEstimate && !isSoldByPiece && { imageBySizeQuality: imageEstimate }), ...fees }
}

/** More than any response can use. */
const MAX_UNITS = 1_000_000_000
/** Some models bill every search query, others the grounded prompt; responses count both. */
const ALTERNATIVES: Readonly<Partial<Record<Fee, Fee>>> = {
  webSearchQuery: 'groundedPrompt',
  groundedPrompt: 'webSearchQuery',
}
/** Equivalent fees: a card has the one that its provider charges. */
const SUBSTITUTES: Readonly<Partial<Record<Fee, Fee>>> = {
  webSearch: 'webSearchPreview',
  fileSearch: 'collectionsSearch',
  codeSession: 'codeExecution',
}

/** Adds the fee per request, which responses do not count. */
export function withRequest(fees: Fees, counted: readonly FeeCount[]): readonly FeeCount[] {
  const isCounted = fees.request === undefined || counted.some(({ fee }) => fee === 'request')
  return isCounted ? counted : [...counted, { fee: 'request', count: 1 }]
}

/** The fee that a card charges for a unit. */
export function pricedFee(fees: Fees, fee: Fee): Fee {
  const other = SUBSTITUTES[fee]
  return fees[fee] === undefined && other !== undefined && fees[other] !== undefined ? other : fee
}

function chargeFees(draft: Draft, fees: Fees, counted: readonly FeeCount[], quotaPerUnit: number): void {
  for (const one of counted) {
    const { fee, count } = convertUnits(fees, {
      ...one,
      fee: pricedFee(fees, one.fee),
      count: Math.min(MAX_UNITS, one.count),
    })
    const usd = priceOfFee(fees, { ...one, fee })
    if (usd !== undefined) draft.lines.push({ item: fee, count, rate: toRate(multiply(usd, quotaPerUnit)) })
    else if (!UNIT_FEES.has(fee) && fees[ALTERNATIVES[fee] ?? fee] === undefined) draft.unpriced.push(fee)
  }
}

/** Converts seconds of audio to minutes if the model is sold by the minute. */
function convertUnits(fees: Fees, { fee, count }: FeeCount): { fee: Fee; count: number } {
  if (fee !== 'audioSecond' || fees.audioSecond !== undefined || fees.audioMinute === undefined) return { fee, count }
  return { fee: 'audioMinute', count: count / 60 }
}

export function priceOfFee(fees: Fees, { fee, key }: Pick<FeeCount, 'fee' | 'key'>): number | undefined {
  const price = fees[fee]
  if (typeof price === 'number' || price === undefined) return price
  return key !== undefined && Object.hasOwn(price, key) ? price[key] : Math.max(0, ...Object.values(price))
}

const TOKEN_ITEMS = new Set<string>(BUCKETS)

export function isTokenLine({ item }: ReceiptLine): boolean {
  return TOKEN_ITEMS.has(item)
}

/** The only place that rounds a receipt: half up, at the end. Any cost above 0 is at least 1. */
export function quotaOf(lines: readonly ReceiptLine[], groupRatio: number): number {
  let tokens = 0n
  let units = ZERO
  for (const line of lines) {
    if (isTokenLine(line)) tokens += BigInt(line.count) * toFixed(line.rate)
    else
      units = add(
        units,
        Number.isInteger(line.count) ? times(line.count, multiply(line.rate)) : multiply(line.count, line.rate),
      )
  }
  const sum = add(scale({ value: tokens, factors: 1 }, PER_MILLION), units)
  if (sum.value === 0n || groupRatio === 0) return 0
  const quota = Number(roundHalfUp(scale(sum, multiply(groupRatio))))
  if (!Number.isSafeInteger(quota)) throw new RangeError('the amount is too large to bill')
  return Math.max(1, quota)
}

const PER_MILLION = multiply(0.000001)
