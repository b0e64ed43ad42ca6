import { DEFAULT_QUOTA_PER_UNIT, type RateCard, type Rates, ratioView } from '@tidegate/contract'
import { multiply, toNumber } from './decimal.ts'
import type { PriceFrame, TokenPrice } from './price.ts'
import { cardAt } from './rate-card.ts'

/** A price as the specification states it: everything as a multiple of the price of an input token. */
export interface PriceRatios {
  /** Ratio 1 is 2 USD per 1,000,000 input tokens. */
  readonly modelRatio: number
  /** Nothing where output has no price. */
  readonly completionRatio?: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly cacheWrite1hRatio: number
  readonly audioRatio: number
  /** Audio that is produced, as a multiple of audio that is heard. */
  readonly audioCompletionRatio: number
}

/** Ratio 1 in USD per 1,000,000 input tokens, and the other way round in quota. */
export const QUOTA_PER_USD_RATE = DEFAULT_QUOTA_PER_UNIT
const TOKENS = 1_000_000
const USD_PER_RATIO = 2

/** Quota for 1,000,000 tokens at a rate of 1, where an input token has the rate 1. */
export function quotaPerRatio(modelRatio: number): number {
  return toNumber(multiply(modelRatio, TOKENS))
}

/** Rates as multiples of an input token. */
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

/** A price that has ratios only, the same at all times. */
export function priceByRatios(frame: PriceFrame, { modelRatio, ...ratios }: PriceRatios): TokenPrice {
  return { kind: 'token', ...frame, cards: [{ rates: ratioRates(ratios) }], quotaPerRate: quotaPerRatio(modelRatio) }
}

/** Characters and seconds of audio have a ratio too, by the tokens that they count as. */
function unitRates(card: RateCard): Rates {
  const { modelRatio } = ratioView(card)
  return modelRatio === undefined ? {} : { input: modelRatio * USD_PER_RATIO }
}

/** The base rates of a price as ratios; tiers have no place there. */
export function ratiosOf(price: TokenPrice, at: Date): PriceRatios {
  const card = cardAt(price.cards, at) ?? NO_CARD
  let known = ratios.get(card)
  if (!known) ratios.set(card, (known = new Map()))
  let found = known.get(price.quotaPerRate)
  if (!found) known.set(price.quotaPerRate, (found = computeRatios(price, card)))
  return found
}

const NO_CARD: RateCard = {}
/** By card and by what a rate of 1 costs: every log row holds them. */
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

/** Twelve decimals: what amounts are computed with. */
const PLACES = 12

function quotient(one: number, other: number): number {
  if (other === 0) return 0
  return other === 1 ? one : Number((one / other).toFixed(PLACES))
}

/** What a token of sound costs next to a token of text. */
interface AudioRatios {
  readonly audioRatio: number
  /** Sound that is made, as a multiple of sound that is heard. */
  readonly audioCompletionRatio: number
}

const AUDIO_COMPLETION_RATIO = 2

/** By the rates of the price list where it knows the model's price of sound, else the rules by name. */
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
