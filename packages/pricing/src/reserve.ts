import { add, multiply, roundHalfUp, roundUp, scale, times, type Product } from './decimal.ts'
import type { ModelPrice, TokenPrice } from './price.ts'
import { callLines, quantityOf, unitPrice } from './receipt.ts'

/** The most that a request can use, as far as that is known before the upstream is called. */
export interface RequestBound {
  readonly promptTokens: number
  /** Output tokens of one choice, reasoning included. */
  readonly outputLimit: number
  /** How many choices the request asks for (`n`). */
  readonly choices: number
  /** The longest lifetime of the cache entries that the request may write. */
  readonly cacheWrite: 'none' | '5m' | '1h'
  readonly audioInput: boolean
  readonly audioOutput: boolean
  /** Images or tasks; a request without any counts as one. */
  readonly pieces?: number
}

/** What the request costs if it uses all of its bound, at the most expensive bucket each token can be counted in. */
export function worstCaseQuota(price: ModelPrice, bound: RequestBound): number {
  const perUnit = unitPrice(price)
  if (perUnit.value === 0n) return 0
  if (price.kind === 'call') {
    const [line] = callLines(price, { pieces: bound.pieces })
    return atMostSafe(roundHalfUp(scale(quantityOf(line), perUnit))) // as the receipt rounds it
  }
  const input = times(safeCount(bound.promptTokens), inputRatio(price, bound))
  const output = times(safeCount(bound.outputLimit * bound.choices), outputRatio(price, bound))
  return atMostSafe(roundUp(scale(add(input, output), perUnit)))
}

/** Output tokens of one choice that an amount pays for beside the prompt. Infinity where output costs nothing. */
export function affordableOutput(price: ModelPrice, quota: number, bound: RequestBound): number {
  const perUnit = unitPrice(price)
  if (price.kind === 'call' || perUnit.value === 0n) return Infinity
  const perToken = scale(outputRatio(price, bound), perUnit)
  if (perToken.value === 0n) return Infinity
  const prompt = scale(times(safeCount(bound.promptTokens), inputRatio(price, bound)), perUnit)
  const factors = Math.max(perToken.factors, prompt.factors)
  const available = withFactors({ value: BigInt(quota), factors: 0 }, factors) - withFactors(prompt, factors)
  if (available <= 0n) return 0
  return Number(available / (withFactors(perToken, factors) * BigInt(bound.choices)))
}

function inputRatio(price: TokenPrice, { cacheWrite, audioInput }: RequestBound): Product {
  const short = cacheWrite === 'none' ? 0 : price.cacheWriteRatio
  const long = cacheWrite === '1h' ? price.cacheWrite1hRatio : 0
  return multiply(Math.max(1, price.cacheRatio, short, long, audioInput ? price.audioRatio : 0))
}

function outputRatio(price: TokenPrice, { audioOutput }: RequestBound): Product {
  const text = multiply(price.completionRatio)
  if (!audioOutput) return text
  const audio = multiply(price.audioRatio, price.audioCompletionRatio)
  const factors = Math.max(text.factors, audio.factors)
  return withFactors(text, factors) > withFactors(audio, factors) ? text : audio
}

/** The value at a scale that is at least its own. */
function withFactors(product: Product, factors: number): bigint {
  return add(product, { value: 0n, factors }).value
}

/** More than any balance can pay for, and still a whole number. */
function safeCount(count: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(count))
}

function atMostSafe(amount: bigint): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Number(amount)))
}
