import {
  amountText,
  multipleOf,
  numberProblem,
  priceOfMultiple,
  priceOfRatio,
  ratioOfPrice,
  readNumber,
  type NumberProblem,
} from './amounts.ts'
import { isPerCall, type Prices } from './price-list.ts'

/** How a model is billed, and whether it is entered as ratios or as prices. */
export type Mode = 'tokens' | 'call'
export type Way = 'ratio' | 'price'

type RatioField = 'ratio' | 'completion' | 'cache'
type PriceField = 'input' | 'output' | 'cached'
export type EntryField = 'price' | RatioField | PriceField

/** The values of the form as texts. Ratios and prices per 1M tokens are two notations of the same values. */
export interface PriceEntry extends Readonly<Record<EntryField, string>> {
  readonly mode: Mode
  readonly way: Way
}

/** Fields in the order of the form. */
export function fieldsOf({ mode, way }: Pick<PriceEntry, 'mode' | 'way'>): readonly EntryField[] {
  if (mode === 'call') return ['price']
  return way === 'ratio' ? RATIO_FIELDS : PRICE_FIELDS
}

const RATIO_FIELDS: readonly RatioField[] = ['ratio', 'completion', 'cache']
const PRICE_FIELDS: readonly PriceField[] = ['input', 'output', 'cached']

export function entryOf(prices: Prices, usd: number, way: Way = 'price'): PriceEntry {
  const texts = {
    price: amountOf(prices.price),
    ratio: textOf(prices.ratio),
    completion: textOf(prices.completion),
    cache: textOf(prices.cache),
  }
  return { mode: isPerCall(prices) ? 'call' : 'tokens', way, ...texts, ...pricesFrom(texts, usd) }
}

/** Writes one field and converts it to the other notation. */
export function withText(entry: PriceEntry, field: EntryField, text: string, usd: number): PriceEntry {
  const next = { ...entry, [field]: text }
  if (RATIO_FIELDS.some((known) => known === field)) return { ...next, ...pricesFrom(next, usd) }
  if (PRICE_FIELDS.some((known) => known === field)) return { ...next, ...ratiosFrom(next, usd) }
  return next
}

function pricesFrom(entry: Record<RatioField, string>, usd: number): Record<PriceField, string> {
  const ratio = readNumber(entry.ratio)
  const multiple = (text: string) => {
    const figure = readNumber(text)
    return ratio === undefined || figure === undefined ? '' : amountText(priceOfMultiple(ratio, figure, usd))
  }
  return {
    input: ratio === undefined ? '' : amountText(priceOfRatio(ratio, usd)),
    output: multiple(entry.completion),
    cached: multiple(entry.cache),
  }
}

function ratiosFrom(entry: Record<PriceField, string>, usd: number): Record<RatioField, string> {
  const input = readNumber(entry.input)
  const multiple = (text: string) => {
    const price = readNumber(text)
    return input === undefined || price === undefined ? '' : textOf(multipleOf(price, input) ?? undefined)
  }
  return {
    ratio: input === undefined ? '' : textOf(ratioOfPrice(input, usd)),
    completion: multiple(entry.output),
    cache: multiple(entry.cached),
  }
}

/** `zero`: no multiple of a free input price gives another price. */
export type EntryProblem = NumberProblem | 'required' | 'zero'

/** Problems of the shown fields. */
export function problemsOf(entry: PriceEntry): Partial<Record<EntryField, EntryProblem>> {
  const [main, ...others] = fieldsOf(entry)
  const problems: Partial<Record<EntryField, EntryProblem>> = {}
  for (const field of [main!, ...others]) {
    const problem = numberProblem(entry[field])
    if (problem) problems[field] = problem
  }
  if (entry[main!].trim() === '') problems[main!] = 'required'
  const isFree = main === 'input' && readNumber(entry.input) === 0
  if (isFree && others.some((field) => entry[field].trim() !== '')) problems.input = 'zero'
  return problems
}

/** The prices of the entry. A price per request replaces all ratios, and the other way round. */
export function pricesOf(entry: PriceEntry): Prices {
  if (entry.mode === 'call') return { price: readNumber(entry.price) }
  return {
    ratio: readNumber(entry.ratio),
    completion: readNumber(entry.completion),
    cache: readNumber(entry.cache),
  }
}

/** The same for one of several models: blank fields keep its values. */
export function pricesOnto(entry: PriceEntry, before: Prices): Prices {
  const { price, ratio, completion = before.completion, cache = before.cache } = pricesOf(entry)
  const { card } = before
  return { ...(entry.mode === 'call' ? { price } : { ratio, completion, cache }), ...(card && { card }) }
}

const textOf = (figure: number | undefined): string => (figure === undefined ? '' : String(figure))
const amountOf = (amount: number | undefined): string => (amount === undefined ? '' : amountText(amount))
