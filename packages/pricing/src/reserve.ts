import type { Bucket, FeeCount, ServiceTerms } from '@tidegate/contract'
import { add, multiply, roundHalfUp, roundUp, scale, times, toNumber, type Product } from './decimal.ts'
import type { ModelPrice, TokenPrice } from './price.ts'
import { cardAt, chooseRates, type ChosenRates, type PricedRate } from './rate-card.ts'
import { callLine, priceOfFee, pricedFee, withRequest } from './receipt.ts'

/** The most that a request can use, as far as it is known before the request is sent. */
export interface RequestBound {
  readonly promptTokens: number
  /** Output tokens of one choice, reasoning included. */
  readonly outputLimit: number
  /** The number of choices (`n`). */
  readonly choices: number
  /** The longest lifetime of the cache entries that the request may write. */
  readonly cacheWrite: 'none' | '5m' | '1h'
  readonly audioInput: boolean
  readonly audioOutput: boolean
  /** Images or tasks; a request without any counts as one. */
  readonly pieces?: number
  /** When the request began; now by default. */
  readonly at?: Date
  /** Input tokens that choose the tier, if a tokenizer may count more than `promptTokens`. */
  readonly tierLength?: number
  /** Requested terms; the provider may also serve the request at standard terms. */
  readonly terms?: Pick<ServiceTerms, 'serviceTier' | 'speed' | 'region'>
  /** The provider serves the request at these terms only, such as a request of a batch. */
  readonly hasFixedTerms?: boolean
  /** The maximum of billable tool units. */
  readonly fees?: readonly FeeCount[]
}

/** The cost of a request that uses its whole bound, with each token at the most expensive rate it can have. */
export function worstCaseQuota(price: ModelPrice, bound: RequestBound): number {
  if (price.groupRatio === 0) return 0
  if (price.kind === 'call') {
    const { count, rate } = callLine(price, { pieces: bound.pieces })
    const sum = add(times(count, multiply(rate)), sumFees(price.fees ?? {}, bound, price.quotaPerUnit))
    return sum.value === 0n ? 0 : toSafeQuota(roundHalfUp(scale(sum, multiply(price.groupRatio)))) // rounded like the receipt
  }
  const { input, output, fees, perToken } = worstRates(price, bound)
  const [prompt, produced] = [safeCount(bound.promptTokens), safeCount(bound.outputLimit * bound.choices)]
  if (fees.value === 0n) {
    const estimate = prompt * perToken.input + produced * perToken.output
    if (canRoundAsFloat(estimate) && Math.max(prompt, produced) < MAX_ESTIMATED_TOKENS) return Math.ceil(estimate)
  }
  const sum = add(add(times(prompt, input), times(produced, output)), fees)
  return sum.value === 0n && isFree(price) ? 0 : toSafeQuota(roundUp(scale(sum, multiply(price.groupRatio))))
}

function isFree({ cards, quotaPerRate }: TokenPrice): boolean {
  return quotaPerRate === 0 || cards.every(({ rates = {}, fees }) => !fees && !rates.input && !rates.output)
}

/** Output tokens per choice that an amount pays for after the prompt. Infinity if output is free. */
export function affordableOutput(price: ModelPrice, quota: number, bound: RequestBound): number {
  if (price.kind === 'call' || price.groupRatio === 0) return Infinity
  const { input, output, fees } = worstRates(price, bound)
  if (output.value === 0n) return Infinity
  const ratio = multiply(price.groupRatio)
  const perToken = scale(output, ratio)
  const before = scale(add(times(safeCount(bound.promptTokens), input), fees), ratio)
  const factors = Math.max(perToken.factors, before.factors)
  const available = withFactors({ value: BigInt(quota), factors: 0 }, factors) - withFactors(before, factors)
  if (available <= 0n) return 0
  return Number(available / (withFactors(perToken, factors) * BigInt(bound.choices)))
}

/** Below these bounds, the error of a float is smaller than its distance from an integer. */
const MAX_ESTIMATED_TOKENS = 5_000_000
const MAX_ESTIMATE = 2 ** 33
const MIN_DISTANCE = 0.0001

/** If true, rounding up a float equals exact arithmetic, and is much faster. */
function canRoundAsFloat(estimate: number): boolean {
  return estimate < MAX_ESTIMATE && estimate > MIN_DISTANCE && Math.abs(estimate - Math.round(estimate)) > MIN_DISTANCE
}

/** Quota per prompt token and per output token, before the group ratio. */
interface TokenRates {
  readonly input: Product
  readonly output: Product
  /** The same after the group ratio, as floats. */
  readonly perToken: { readonly input: number; readonly output: number }
}

const NO_RATES: TokenRates = {
  input: { value: 0n, factors: 0 },
  output: { value: 0n, factors: 0 },
  perToken: { input: 0, output: 0 },
}

/** Includes the fees of all tools, before the group ratio. */
function worstRates(price: TokenPrice, bound: RequestBound): TokenRates & { readonly fees: Product } {
  const { at = new Date() } = bound
  const card = cardAt(price.cards, at)
  const fees = sumFees(card?.fees ?? {}, bound, price.quotaPerUnit)
  if (!card?.rates) return { ...NO_RATES, fees }
  const served = { inputLength: bound.tierLength ?? bound.promptTokens, at }
  const standard = chooseRates(card, served)
  if (bound.terms) {
    const requested = chooseRates(card, { ...bound.terms, ...served })
    return { ...tokenRates(price, bound, bound.hasFixedTerms ? [requested] : [standard, requested]), fees }
  }
  const key = `${bound.cacheWrite} ${bound.audioInput} ${bound.audioOutput} ${price.quotaPerRate} ${price.groupRatio}`
  let known = knownRates.get(standard)
  if (!known) knownRates.set(standard, (known = new Map()))
  let rates = known.get(key)
  if (!rates) known.set(key, (rates = tokenRates(price, bound, [standard])))
  return { ...rates, fees }
}

/** Cached, because every request needs them several times. */
const knownRates = new WeakMap<ChosenRates, Map<string, TokenRates>>()

function tokenRates(price: TokenPrice, bound: RequestBound, possible: readonly ChosenRates[]): TokenRates {
  const perRate = multiply(price.quotaPerRate, PER_TOKEN)
  const ratio = multiply(price.groupRatio)
  const highest = (buckets: readonly Bucket[]) => scale(highestOf(possible, buckets), perRate)
  const [input, output] = [highest(inputBuckets(bound)), highest(outputBuckets(bound))]
  const perToken = { input: toNumber(scale(input, ratio)), output: toNumber(scale(output, ratio)) }
  return { input, output, perToken }
}

const PER_TOKEN = 0.000001
const ZERO: Product = { value: 0n, factors: 0 }

function inputBuckets({ cacheWrite, audioInput }: RequestBound): Bucket[] {
  return [
    'input',
    'cacheRead',
    'imageInput',
    ...(cacheWrite === 'none' ? [] : (['cacheWrite5m'] as const)),
    ...(cacheWrite === '1h' ? (['cacheWrite1h'] as const) : []),
    ...(audioInput ? (['audioInput'] as const) : []),
  ]
}

function outputBuckets({ audioOutput }: RequestBound): Bucket[] {
  return ['output', 'reasoning', 'imageOutput', ...(audioOutput ? (['audioOutput'] as const) : [])]
}

function highestOf(possible: readonly ChosenRates[], buckets: readonly Bucket[]): Product {
  let highest: PricedRate | undefined
  for (const chosen of possible) {
    for (const bucket of buckets) {
      const rate = chosen.rateOf(bucket)
      if (rate && rate.value > (highest?.value ?? 0)) highest = rate
    }
  }
  return highest?.product ?? ZERO
}

function sumFees(
  prices: NonNullable<NonNullable<ReturnType<typeof cardAt>>['fees']>,
  { fees = [] }: RequestBound,
  quotaPerUnit: number,
): Product {
  let sum = ZERO
  for (const one of withRequest(prices, fees)) {
    const usd =
      priceOfFee(prices, { ...one, fee: pricedFee(prices, one.fee) }) ?? priceOfFee(prices, groundedPrompt(one))
    if (usd !== undefined) sum = add(sum, times(one.count, multiply(usd, quotaPerUnit)))
  }
  return sum
}

/** A search that is billed by the prompt. */
function groundedPrompt({ fee }: FeeCount): Pick<FeeCount, 'fee'> {
  return { fee: fee === 'webSearchQuery' ? 'groundedPrompt' : fee }
}

/** The value at a scale of at least its own. */
function withFactors(product: Product, factors: number): bigint {
  return add(product, { value: 0n, factors }).value
}

/** More than any balance can pay, and still a safe integer. */
function safeCount(count: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(count))
}

function toSafeQuota(amount: bigint): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Number(amount)))
}
