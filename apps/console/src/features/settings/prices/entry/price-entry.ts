import {
  figureProblem,
  inputPriceOf,
  multipleOf,
  multiplePriceOf,
  ratioOf,
  readFigure,
  type FigureProblem,
} from '../figures.ts'
import { isPerCall, type Prices } from '../price-list.ts'

/** How a model is billed, and by which figures that is entered. */
export type Mode = 'tokens' | 'call'
export type Way = 'ratio' | 'price'

type RatioField = 'ratio' | 'completion' | 'cache'
type PriceField = 'input' | 'output' | 'cached'
export type EntryField = 'price' | RatioField | PriceField

/** What a person is about to set, as texts: ratios and prices for a million tokens say the same, each in its own way. */
export interface PriceEntry extends Readonly<Record<EntryField, string>> {
  readonly mode: Mode
  readonly way: Way
}

/** Fields in the order in which they stand. */
export function fieldsOf({ mode, way }: Pick<PriceEntry, 'mode' | 'way'>): readonly EntryField[] {
  if (mode === 'call') return ['price']
  return way === 'ratio' ? RATIO_FIELDS : PRICE_FIELDS
}

const RATIO_FIELDS: readonly RatioField[] = ['ratio', 'completion', 'cache']
const PRICE_FIELDS: readonly PriceField[] = ['input', 'output', 'cached']

export function entryOf(prices: Prices, way: Way = 'ratio'): PriceEntry {
  const texts = {
    price: textOf(prices.price),
    ratio: textOf(prices.ratio),
    completion: textOf(prices.completion),
    cache: textOf(prices.cache),
  }
  return { mode: isPerCall(prices) ? 'call' : 'tokens', way, ...texts, ...pricesFrom(texts) }
}

/** Writes one field; what says the same in the other way follows. */
export function withText(entry: PriceEntry, field: EntryField, text: string): PriceEntry {
  const next = { ...entry, [field]: text }
  if (RATIO_FIELDS.some((known) => known === field)) return { ...next, ...pricesFrom(next) }
  if (PRICE_FIELDS.some((known) => known === field)) return { ...next, ...ratiosFrom(next) }
  return next
}

function pricesFrom(entry: Record<RatioField, string>): Record<PriceField, string> {
  const ratio = readFigure(entry.ratio)
  const multiple = (text: string) => {
    const figure = readFigure(text)
    return ratio === undefined || figure === undefined ? '' : textOf(multiplePriceOf(ratio, figure))
  }
  return {
    input: ratio === undefined ? '' : textOf(inputPriceOf(ratio)),
    output: multiple(entry.completion),
    cached: multiple(entry.cache),
  }
}

function ratiosFrom(entry: Record<PriceField, string>): Record<RatioField, string> {
  const input = readFigure(entry.input)
  const multiple = (text: string) => {
    const price = readFigure(text)
    return input === undefined || price === undefined ? '' : textOf(multipleOf(price, input) ?? undefined)
  }
  return {
    ratio: input === undefined ? '' : textOf(ratioOf(input)),
    completion: multiple(entry.output),
    cache: multiple(entry.cached),
  }
}

/** `zero`: nothing can be a multiple of a price that is none. */
export type EntryProblem = FigureProblem | 'required' | 'zero'

/** What is wrong, by field, among the fields that are shown. */
export function problemsOf(entry: PriceEntry): Partial<Record<EntryField, EntryProblem>> {
  const [main, ...others] = fieldsOf(entry)
  const problems: Partial<Record<EntryField, EntryProblem>> = {}
  for (const field of [main!, ...others]) {
    const problem = figureProblem(entry[field])
    if (problem) problems[field] = problem
  }
  if (entry[main!].trim() === '') problems[main!] = 'required'
  const isFree = main === 'input' && readFigure(entry.input) === 0
  if (isFree && others.some((field) => entry[field].trim() !== '')) problems.input = 'zero'
  return problems
}

/** What the entry sets. A price for each call takes the place of all ratios, and the other way round. */
export function pricesOf(entry: PriceEntry): Prices {
  if (entry.mode === 'call') return { price: readFigure(entry.price) }
  return {
    ratio: readFigure(entry.ratio),
    completion: readFigure(entry.completion),
    cache: readFigure(entry.cache),
  }
}

/** The same for a model among several: what is left blank stays as each has it. */
export function pricesOnto(entry: PriceEntry, before: Prices): Prices {
  const { price, ratio, completion = before.completion, cache = before.cache } = pricesOf(entry)
  const { card } = before
  return { ...(entry.mode === 'call' ? { price } : { ratio, completion, cache }), ...(card && { card }) }
}

const textOf = (figure: number | undefined): string => (figure === undefined ? '' : String(figure))
