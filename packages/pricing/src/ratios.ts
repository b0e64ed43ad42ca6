import { DEFAULT_QUOTA_PER_UNIT, type RateCard, type Rates, ratioView } from '@tidegate/contract'
import { multiply, toNumber } from './decimal.ts'
import type { PriceBase, TokenPrice } from './price.ts'
import { cardAt } from './rate-card.ts'

/** A price as in the specification: everything as a multiple of the input price. */
export interface PriceRatios {
  /** Ratio 1 is 2 USD per 1,000,000 input tokens. */
  readonly modelRatio: number
  /** Undefined if output has no price. */
  readonly completionRatio?: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly cacheWrite1hRatio: number
  readonly audioRatio: number
  /** Audio output as a multiple of audio input. */
  readonly audioCompletionRatio: number
}

/** Quota for a rate of 1 USD per 1,000,000 tokens. */
export const QUOTA_PER_USD_RATE = DEFAULT_QUOTA_PER_UNIT
const TOKENS = 1_000_000
const USD_PER_RATIO = 2

/** Quota for 1,000,000 tokens at a rate of 1, if the input rate is 1. */
export function quotaPerRatio(modelRatio: number): number {
  return toNumber(multiply(modelRatio, TOKENS))
}

/** Rates as multiples of the input rate. */
export function ratioRates(ratios: Omit<PriceRatios, 'modelRatio'>): Rates {
  const { completionRatio: output, cacheRatio, audioRatio, audioCompletionRatio } = ratios
  return {
    input: 1,
    cacheRead: cacheRatio,
    cacheWrite5m: ratios.cacheWriteRatio,
    cacheWrite1h: ratios.cacheWrite1hRatio,
    ...(output !== undefined && { output, imageOutput: output, videoOutput: output }),
    audioInput: audioRatio,
    audioOutput: toNumber(multiply(audioRatio, audioCompletionRatio)),
  }
}

/** A price that consists of ratios only, without time limits. */
export function priceByRatios(base: PriceBase, { modelRatio, ...ratios }: PriceRatios): TokenPrice {
  return { kind: 'token', ...base, cards: [{ rates: ratioRates(ratios) }], quotaPerRate: quotaPerRatio(modelRatio) }
}

/** Models sold by characters or seconds also have a ratio, by the tokens these count as. */
function unitRates(card: RateCard): Rates {
  const { modelRatio } = ratioView(card)
  return modelRatio === undefined ? {} : { input: modelRatio * USD_PER_RATIO }
}

/** The base rates of a price as ratios, without tiers. */
export function ratiosOf(price: TokenPrice, at: Date): PriceRatios {
  const card = cardAt(price.cards, at) ?? NO_CARD
  let known = ratios.get(card)
  if (!known) ratios.set(card, (known = new Map()))
  let found = known.get(price.quotaPerRate)
  if (!found) known.set(price.quotaPerRate, (found = computeRatios(price, card)))
  return found
}

const NO_CARD: RateCard = {}
/** Cached by card and by the quota for a rate of 1, because every log row contains them. */
const ratios = new WeakMap<RateCard, Map<number, PriceRatios>>()

function computeRatios(price: TokenPrice, card: RateCard): PriceRatios {
  const rates = card.rates ?? unitRates(card)
  const { input = 0, output, cacheRead = input, cacheWrite5m = input, audioInput = input } = rates
  const ofInput = (rate: number) => quotient(rate, input)
  return {
    modelRatio: quotient(toNumber(multiply(input, price.quotaPerRate)), TOKENS),
    ...(output !== undefined && { completionRatio: ofInput(output) }),
    cacheRatio: ofInput(cacheRead),
    cacheWriteRatio: ofInput(cacheWrite5m),
    cacheWrite1hRatio: ofInput(rates.cacheWrite1h ?? cacheWrite5m),
    audioRatio: ofInput(audioInput),
    audioCompletionRatio: quotient(rates.audioOutput ?? audioInput, audioInput),
  }
}

/** Amounts are computed with twelve decimals. */
const PLACES = 12

function quotient(one: number, other: number): number {
  if (other === 0) return 0
  return other === 1 ? one : Number((one / other).toFixed(PLACES))
}

/** The price of audio tokens relative to text tokens. */
interface AudioRatios {
  readonly audioRatio: number
  /** Audio output as a multiple of audio input. */
  readonly audioCompletionRatio: number
}

const AUDIO_COMPLETION_RATIO = 2

/** From the catalogue if it has an audio rate for the model, else by rules on the name. */
export function audioRatiosOf(model: string, listed: Rates | undefined): AudioRatios {
  const { input, audioInput, audioOutput } = listed ?? {}
  if (!input || audioInput === undefined) {
    return { audioRatio: audioRatioByName(model), audioCompletionRatio: AUDIO_COMPLETION_RATIO }
  }
  return {
    audioRatio: audioInput / input,
    audioCompletionRatio:
      audioOutput === undefined || audioInput === 0 ? AUDIO_COMPLETION_RATIO : audioOutput / audioInput,
  }
}

function audioRatioByName(model: string): number {
  if (model.includes('-realtime')) {
    if (model.includes('mini')) return 16.67
    return model.endsWith('4o-realtime-preview-2024-12-17') ? 8 : 20
  }
  if (model.includes('-audio')) {
    if (model.includes('mini')) return 66.67
    return model.endsWith('4o-audio-preview-2024-12-17') ? 16 : 40
  }
  return 20
}
