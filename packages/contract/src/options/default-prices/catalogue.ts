import type { RateCard, Schedule } from '../../rate-card.ts'
import catalogue from './catalogue.json' with { type: 'json' }

/** A model that providers publish: its prices, limits and abilities. A field that is left out is not known. */
export interface CatalogueModel {
  readonly model: string
  readonly provider: string
  readonly mode: string
  readonly aliases?: readonly string[]
  readonly contextWindow?: number
  readonly maxInput?: number
  readonly maxOutput?: number
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly endOfLife?: string
  readonly replacedBy?: string
  readonly prices: readonly RateCard[]
  /** No provider sells it under this name any more. */
  readonly isHistoric: boolean
}

interface SourcedCard extends RateCard {
  readonly currency?: string
  readonly source: readonly string[]
  readonly confidence: string
  readonly note?: string
}

interface Row extends Omit<CatalogueModel, 'prices' | 'isHistoric'> {
  readonly prices: readonly SourcedCard[]
}

const rows = catalogue.models as unknown as readonly Row[]

/** Prices in another currency are left out: the exchange rate of the operator is not known. */
export const CATALOGUE: readonly CatalogueModel[] = rows.map(({ prices, ...row }) => ({
  ...row,
  isHistoric: prices.every(({ source }) => source.every((id) => id === 'specification')),
  prices: prices
    .filter(({ currency = 'USD' }) => currency === 'USD')
    .map(({ source: _source, confidence: _confidence, note: _note, currency: _currency, ...card }) => card),
}))

/** When the prices were collected. */
export const CATALOGUE_VERSION: string = catalogue.collected

/** Named sets of hours that tiers refer to. */
export const SCHEDULES = catalogue.schedules as unknown as Readonly<Record<string, Schedule>>

const byName = new Map(CATALOGUE.flatMap((row) => [row.model, ...(row.aliases ?? [])].map((name) => [name, row])))

/** Suffixes that ask for more or less reasoning: the price is the same. */
const VARIANT = /-(thinking|nothinking|minimal|low|medium|high|xhigh)$/

/** A model by its name, by another name it has, or by a name that only asks for more reasoning. */
export function listedModel(name: string): CatalogueModel | undefined {
  return byName.get(name) ?? byName.get(name.replace(VARIANT, ''))
}

/** The model whose name is the longest beginning of this one, word by word: `o3-pro-2025-06-10` belongs to `o3-pro`. */
export function listedFamily(name: string): CatalogueModel | undefined {
  for (let end = name.lastIndexOf('-'); end > 0; end = name.lastIndexOf('-', end - 1)) {
    const row = byName.get(name.slice(0, end))
    if (row) return row
  }
  return undefined
}

/** Every name that the catalogue knows. */
export function listedNames(): Iterable<readonly [name: string, row: CatalogueModel]> {
  return byName
}
