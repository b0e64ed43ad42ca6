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

/** How much a model takes and gives, in tokens, as its provider publishes it. */
export interface ModelLimits {
  readonly context: number
  readonly maxOutput?: number
}

/** Undefined for a model whose limits are not published. */
export function limitsOf(model: string): ModelLimits | undefined {
  const { contextWindow, maxOutput } = listedModel(model) ?? {}
  if (contextWindow === undefined) return undefined
  return { context: contextWindow, ...(maxOutput !== undefined && { maxOutput }) }
}

export function maxOutputOf(model: string): number | undefined {
  return listedModel(model)?.maxOutput
}

type ModelAbility = 'vision' | 'tools' | 'reasoning' | 'json' | 'audio' | 'pdf' | 'cache'
const ABILITIES = ['vision', 'tools', 'reasoning', 'json', 'audio', 'pdf'] as const

/** What a model can do, as its provider publishes it. */
export function abilitiesOf(model: string): ModelAbility[] {
  const row = listedModel(model)
  if (!row) return []
  const { capabilities = {}, prices } = row
  const isCached = prices.some(({ rates }) => rates?.cacheRead !== undefined)
  return [...ABILITIES.filter((name) => Boolean(capabilities[name])), ...(isCached ? (['cache'] as const) : [])]
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  xai: 'xAI',
  deepseek: 'DeepSeek',
  bytedance: 'ByteDance',
  minimax: 'MiniMax',
  iflytek: 'iFlytek',
  '01.ai': '01.AI',
}

/** Families of names that belong to one provider alone, such as everything that begins with `claude`. */
const FAMILIES = families()

/** The provider of a model, also when only its family is known; blank when neither is known. */
export function vendorOf(model: string): string {
  const provider = listedModel(model)?.provider ?? FAMILIES.get(familyOf(model)) ?? ''
  return DISPLAY_NAMES[provider] ?? provider.slice(0, 1).toUpperCase() + provider.slice(1)
}

function families(): ReadonlyMap<string, string> {
  const providers = new Map<string, Set<string>>()
  for (const { model, provider } of CATALOGUE) {
    const family = familyOf(model)
    if (family === '') continue
    providers.set(family, (providers.get(family) ?? new Set()).add(provider))
  }
  return new Map(
    [...providers].flatMap(([family, [only, ...others]]) => (only && others.length === 0 ? [[family, only]] : [])),
  )
}

function familyOf(model: string): string {
  return /^[a-z]+/.exec(model.toLowerCase())?.[0] ?? ''
}
