/** A ratio of 1 is this many dollars for a million tokens. */
const DOLLARS_PER_RATIO = 2

/** What is stored keeps as many digits as a price can need; what is shown two fewer, so that it reads as it was entered. */
const STORED_DIGITS = 12
const SHOWN_DIGITS = 10

/** Without the dust of binary fractions: 0.1 + 0.2 is 0.3. */
const round = (value: number, digits: number): number => Number(value.toPrecision(digits))

/** Dollars for a million tokens of input. */
export const inputPriceOf = (ratio: number): number => round(ratio * DOLLARS_PER_RATIO, SHOWN_DIGITS)

/** Dollars for a million tokens that cost a multiple of input: output, or input from a cache. */
export const multiplePriceOf = (ratio: number, multiple: number): number =>
  round(ratio * DOLLARS_PER_RATIO * multiple, SHOWN_DIGITS)

export const ratioOf = (inputPrice: number): number => round(inputPrice / DOLLARS_PER_RATIO, STORED_DIGITS)

/** How many times the price of input a price is; null where input is free, for then no multiple makes it. */
export const multipleOf = (price: number, inputPrice: number): number | null =>
  inputPrice === 0 ? null : round(price / inputPrice, STORED_DIGITS)

export type FigureProblem = 'number' | 'negative'

/** What keeps a text from being a price or a ratio. Blank is none of it: whether it may be is not for the text to say. */
export function figureProblem(text: string): FigureProblem | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(Number(trimmed))) return 'number'
  return Number(trimmed) < 0 ? 'negative' : null
}

/** The figure of a text; undefined when it is blank or none. */
export function readFigure(text: string): number | undefined {
  return text.trim() === '' || figureProblem(text) !== null ? undefined : Number(text)
}
