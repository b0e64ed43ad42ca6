import type { PricedModel, RateCard } from '@tidegate/contract/api'
import { isPerCall, type Prices } from './price-list.ts'

/** The columns of the price table. */
export const AMOUNTS = ['input', 'output', 'cacheRead', 'cacheWrite', 'call'] as const
export type AmountName = (typeof AMOUNTS)[number]

/** USD per 1M tokens; `call` is USD per request. */
export type Amounts = Readonly<Partial<Record<AmountName, number>>>

/** Multiples of the input price that the server applies where no ratio is set. */
export interface BuiltInRatios {
  completion?: number | undefined
  cache?: number | undefined
  cacheWrite?: number | undefined
}

const TOKENS = 1_000_000

/** Stored numbers keep twelve digits. Displayed prices have two digits less, so that they match the typed text. */
const STORED_DIGITS = 12
const SHOWN_DIGITS = 10
const round = (value: number, digits: number): number => Number(value.toPrecision(digits))

/** A ratio of 1 is one quota per token: 2 USD per 1M tokens at 500,000 quota per USD. */
export const usdPerRatio = (quotaPerUnit: number): number => TOKENS / quotaPerUnit

/** `2.50`: an amount of dollars for a field, with two decimals or more. */
export const amountText = (amount: number): string =>
  String(amount).length > amount.toFixed(2).length ? String(amount) : amount.toFixed(2)

export const priceOfRatio = (ratio: number, usd: number): number => round(ratio * usd, SHOWN_DIGITS)

export const priceOfMultiple = (ratio: number, multiple: number, usd: number): number =>
  round(ratio * usd * multiple, SHOWN_DIGITS)

export const ratioOfPrice = (price: number, usd: number): number => round(price / usd, STORED_DIGITS)

/** Null for a free input price: no multiple of 0 gives another price. */
export const multipleOf = (price: number, inputPrice: number): number | null =>
  inputPrice === 0 ? null : round(price / inputPrice, STORED_DIGITS)

/** The prices of a model in dollars, before tiers, fees and group ratios. */
export function amountsOf(prices: Prices, builtIn: BuiltInRatios, usd: number): Amounts {
  const { card, price, ratio, completion = builtIn.completion, cache = builtIn.cache } = prices
  if (card) return cardAmounts(card)
  if (price !== undefined) return { call: price }
  if (ratio === undefined) return {}
  const multiple = (factor: number | undefined) =>
    factor === undefined ? undefined : priceOfMultiple(ratio, factor, usd)
  return known({
    input: priceOfRatio(ratio, usd),
    output: multiple(completion),
    cacheRead: multiple(cache),
    cacheWrite: multiple(builtIn.cacheWrite),
  })
}

function cardAmounts({ rates = {}, fees = {} }: RateCard): Amounts {
  return known({
    input: rates.input,
    output: rates.output,
    cacheRead: rates.cacheRead,
    cacheWrite: rates.cacheWrite5m,
    call: typeof fees.request === 'number' ? fees.request : undefined,
  })
}

/** Prices of `GET /api/pricing` without the group ratio. */
export function publicAmounts(model: PricedModel, groupRatio: number): Amounts {
  if (groupRatio === 0) return {}
  const plain = (amount: number | undefined) =>
    amount === undefined ? undefined : round(amount / groupRatio, SHOWN_DIGITS)
  if (model.quota_type === 1) return { call: model.model_price }
  const { input, output, cacheRead, cacheWrite5m } = model.rates ?? {}
  return known({
    input: plain(input),
    output: plain(output),
    cacheRead: plain(cacheRead),
    cacheWrite: plain(cacheWrite5m),
  })
}

/** The ratios of `GET /api/pricing`. The group ratio cancels out. */
export function builtInRatios({
  rates = {},
  completion_ratio: completion,
  cache_ratio: cache,
}: PricedModel): BuiltInRatios {
  const { input, output, cacheRead, cacheWrite5m } = rates
  const ofInput = (rate: number | undefined) =>
    rate === undefined || !input ? undefined : round(rate / input, STORED_DIGITS)
  return {
    completion: ofInput(output) ?? completion,
    cache: ofInput(cacheRead) ?? cache,
    cacheWrite: ofInput(cacheWrite5m),
  }
}

export type AmountProblem = 'number' | 'negative' | 'zero' | 'inputFirst' | 'noList'

/** Sets one price and keeps the other prices in dollars, although they are stored as multiples of the input price. */
export function withAmount(
  prices: Prices,
  builtIn: BuiltInRatios,
  name: AmountName,
  value: number | undefined,
  usd: number,
): Prices | { problem: AmountProblem } {
  if (prices.card) return { ...prices, card: cardWith(prices.card, name, value) }
  if (name === 'call') return value === undefined ? { ...prices, price: undefined } : { price: value }
  if (name === 'cacheWrite') return prices
  const now = isPerCall(prices) ? {} : amountsOf(prices, builtIn, usd)
  if (name === 'input') {
    if (value === undefined) return {}
    const keep = (amount: number | undefined, multiple: number | undefined) =>
      amount === undefined ? multiple : (multipleOf(amount, value) ?? multiple)
    return {
      ratio: ratioOfPrice(value, usd),
      completion: keep(now.output, prices.completion),
      cache: keep(now.cacheRead, prices.cache),
    }
  }
  const field = name === 'output' ? 'completion' : 'cache'
  if (value === undefined) return { ...prices, [field]: undefined }
  if (now.input === undefined) return { problem: 'inputFirst' }
  const multiple = multipleOf(value, now.input)
  return multiple === null ? { problem: 'zero' } : { ...prices, [field]: multiple }
}

const BUCKET_OF = { input: 'input', output: 'output', cacheRead: 'cacheRead', cacheWrite: 'cacheWrite5m' } as const

function cardWith(card: RateCard, name: AmountName, value: number | undefined): RateCard {
  const set = (record: object | undefined, key: string) =>
    Object.fromEntries(
      Object.entries({ ...record, [key]: value }).filter((entry): entry is [string, number] => entry[1] !== undefined),
    )
  return name === 'call'
    ? { ...card, fees: set(card.fees, 'request') }
    : { ...card, rates: set(card.rates, BUCKET_OF[name]) }
}

/** Reads a typed price: a number, with or without `$`, or `=list*1.2` relative to the list price. */
export function readAmount(text: string, list: number | undefined): number | { problem: AmountProblem } | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return undefined
  if (typed.startsWith('=')) return readFormula(typed, list)
  const problem = numberProblem(typed)
  return problem ? { problem } : Number(typed)
}

function readFormula(text: string, list: number | undefined): number | { problem: AmountProblem } {
  const match = /^=\s*list\s*(?:([*/+-])\s*(\d+\.?\d*|\.\d+))?$/i.exec(text)
  if (!match) return { problem: 'number' }
  if (list === undefined) return { problem: 'noList' }
  const [, operator = '*', operand = '1'] = match
  const result = CALCULATE[operator as keyof typeof CALCULATE](list, Number(operand))
  if (!Number.isFinite(result)) return { problem: 'number' }
  return result < 0 ? { problem: 'negative' } : round(result, SHOWN_DIGITS)
}

const CALCULATE = {
  '*': (one: number, other: number) => one * other,
  '/': (one: number, other: number) => one / other,
  '+': (one: number, other: number) => one + other,
  '-': (one: number, other: number) => one - other,
}

export type NumberProblem = 'number' | 'negative'

/** Why a text is not a price or a ratio. A blank text has no problem here. */
export function numberProblem(text: string): NumberProblem | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(Number(trimmed))) return 'number'
  return Number(trimmed) < 0 ? 'negative' : null
}

/** The number of a text; undefined if it is blank or not a number. */
export function readNumber(text: string): number | undefined {
  return text.trim() === '' || numberProblem(text) !== null ? undefined : Number(text)
}

/** The decimals that show all amounts of a column in full: two to six. */
export function decimalsFor(amounts: readonly (number | undefined)[]): number {
  const decimals = amounts.map((amount) => {
    const [, fraction = ''] = (amount ?? 0).toFixed(6).split('.')
    return fraction.replace(/0+$/, '').length
  })
  return Math.min(6, Math.max(2, ...decimals))
}

const known = (amounts: Partial<Record<AmountName, number | undefined>>): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter((entry) => entry[1] !== undefined))

/** The prices to store for amounts in dollars. Cache writes follow the input price and are not stored. */
export function pricesOfAmounts({ input, output, cacheRead, call }: Amounts, usd: number): Prices {
  if (call !== undefined) return { price: call }
  if (input === undefined) return {}
  const multiple = (amount: number | undefined) =>
    amount === undefined ? undefined : (multipleOf(amount, input) ?? undefined)
  return { ratio: ratioOfPrice(input, usd), completion: multiple(output), cache: multiple(cacheRead) }
}

/** All amounts times a factor, such as 1.2 for a markup of 20%. */
export const scaleAmounts = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, round(amount * factor, SHOWN_DIGITS)]))

/** Relative change of the amount that changes most; Infinity if a price appears or disappears. */
export function largestChange(before: Amounts, after: Amounts): number {
  const changes = AMOUNTS.map((name) => {
    const [one, other] = [before[name], after[name]]
    if (one === other) return 0
    if (one === undefined || other === undefined || one === 0) return Infinity
    return Math.abs(other - one) / one
  })
  return Math.max(...changes)
}
