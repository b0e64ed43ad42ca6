import type { RateCard } from '../../rate-card.ts'
import { CATALOGUE, type CatalogueModel, listedNames, modelProvider } from './catalogue.ts'

type NumbersByModel = Readonly<Record<string, number>>

/** Prices in the format of the options. */
export interface PriceMaps {
  readonly modelPrice: NumbersByModel
  readonly modelRatio: NumbersByModel
  readonly completionRatio: NumbersByModel
  readonly cacheRatio: NumbersByModel
}

/**
 * A rate card in the format of the options: a price per request, or ratios. Ratio 1 is 2 USD per 1,000,000 input
 * tokens.
 */
export interface RatioView {
  readonly modelPrice?: number
  readonly modelRatio?: number
  readonly completionRatio?: number
  readonly cacheRatio?: number
}

const USD_PER_RATIO = 2
/** Speech is priced per million characters. */
const MILLION = 1_000_000
/** Tokens that a minute of audio counts as when a model is priced by ratios. */
const TOKENS_PER_MINUTE = 1000

/** The base rates of a card as ratios. Ratios cannot express tiers, fees and other buckets. */
export function ratioView({ rates = {}, fees = {} }: RateCard): RatioView {
  const { input, output, cacheRead } = rates
  if (input === undefined) return unitView(fees)
  return {
    modelRatio: input / USD_PER_RATIO,
    ...(output !== undefined && input > 0 && { completionRatio: quotient(output, input) }),
    ...(cacheRead !== undefined && input > 0 && { cacheRatio: quotient(cacheRead, input) }),
  }
}

function unitView(fees: NonNullable<RateCard['fees']>): RatioView {
  const perCall = amountOf(fees.request) ?? amountOf(fees.search) ?? amountOf(fees.image) ?? smallest(fees)
  if (perCall !== undefined) return { modelPrice: perCall }
  const perMillion =
    scale(amountOf(fees.character), MILLION) ??
    scale(amountOf(fees.audioMinute), MILLION / TOKENS_PER_MINUTE) ??
    scale(amountOf(fees.audioSecond), (60 * MILLION) / TOKENS_PER_MINUTE)
  return perMillion === undefined ? {} : { modelRatio: quotient(perMillion, USD_PER_RATIO) }
}

function amountOf(fee: number | Readonly<Record<string, number>> | undefined): number | undefined {
  return typeof fee === 'number' ? fee : undefined
}

/** The cheapest size and quality. */
function smallest({ imageBySizeQuality: bySize }: NonNullable<RateCard['fees']>): number | undefined {
  return typeof bySize === 'object' ? Math.min(...Object.values(bySize)) : amountOf(bySize)
}

function scale(amount: number | undefined, factor: number): number | undefined {
  return amount === undefined ? undefined : Number((amount * factor).toFixed(PLACES))
}

/** Decimals that amounts are computed with. */
const PLACES = 12

function quotient(one: number, other: number): number {
  return Number((one / other).toFixed(PLACES))
}

/** The current prices of the catalogue in the format of the options. */
function priceMapsOf(names: Iterable<readonly [name: string, row: CatalogueModel]>): PriceMaps {
  const maps = { modelPrice: {}, modelRatio: {}, completionRatio: {}, cacheRatio: {} } as Record<
    keyof PriceMaps,
    Record<string, number>
  >
  const today = new Date().toISOString().slice(0, 10)
  for (const [name, { prices }] of names) {
    const valid = prices.filter(({ effective = '', until = '9' }) => effective <= today && today <= until)
    const card = valid.at(-1) ?? prices.at(-1)
    if (!card) continue
    for (const [map, value] of Object.entries(ratioView(card))) maps[map as keyof PriceMaps][name] = value
  }
  return maps
}

/** Default prices of models. */
export const DEFAULT_PRICES: PriceMaps = priceMapsOf(listedNames())

/** Models by their main names, without aliases. */
function mainNames(): Iterable<readonly [string, CatalogueModel]> {
  return CATALOGUE.map((row) => [row.model, row] as const)
}

/**
 * Price presets: `flexible` uses the providers' model names, `openrouter` prefixes them with the provider as resellers
 * do, `mixed` has both.
 */
export function presetPrices(source: 'flexible' | 'openrouter' | 'mixed'): PriceMaps {
  const plain = priceMapsOf(mainNames())
  if (source === 'flexible') return plain
  const resold = mapPrices(plain, resellerNames)
  return source === 'openrouter' ? resold : mapPrices(plain, (values) => ({ ...values, ...resellerNames(values) }))
}

function mapPrices(prices: PriceMaps, change: (values: NumbersByModel) => NumbersByModel): PriceMaps {
  return {
    modelPrice: change(prices.modelPrice),
    modelRatio: change(prices.modelRatio),
    completionRatio: change(prices.completionRatio),
    cacheRatio: change(prices.cacheRatio),
  }
}

/** Models of unknown providers are left out. */
function resellerNames(values: NumbersByModel): NumbersByModel {
  return Object.fromEntries(
    Object.entries(values).flatMap(([model, value]) => {
      const name = resellerName(model)
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** Provider names that resellers abbreviate. */
const SLUGS: Readonly<Record<string, string>> = {
  xAI: 'x-ai',
  Mistral: 'mistralai',
  Alibaba: 'qwen',
  Moonshot: 'moonshotai',
}

function resellerName(model: string): string | undefined {
  if (model.includes('/')) return model
  const provider = modelProvider(model)
  if (provider === '') return undefined
  return `${SLUGS[provider] ?? provider.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}/${model}`
}
