import type { RateCard, Schedule } from '../../rate-card.ts'
import catalogue from './catalogue.json' with { type: 'json' }

/** A published model with its prices, limits and abilities. A missing field is unknown. */
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

/** Prices in other currencies are left out: the exchange rate of the operator is unknown. */
export const CATALOGUE: readonly CatalogueModel[] = rows.map(({ prices, ...row }) => ({
  ...row,
  isHistoric: prices.every(({ source }) => source.every((id) => id === 'specification')),
  prices: prices
    .filter(({ currency = 'USD' }) => currency === 'USD')
    .map(({ source: _source, confidence: _confidence, note: _note, currency: _currency, ...card }) => card),
}))

/** When the prices were collected. */
export const CATALOGUE_VERSION: string = catalogue.collected

/** Schedules by name, for tiers. */
export const SCHEDULES = catalogue.schedules as unknown as Readonly<Record<string, Schedule>>

const byName = new Map(CATALOGUE.flatMap((row) => [row.model, ...(row.aliases ?? [])].map((name) => [name, row])))

/** Suffixes that ask for more or less reasoning: the price is the same. */
const VARIANT = /-(thinking|nothinking|minimal|low|medium|high|xhigh)$/

/** Finds a model by its name, an alias, or a name with a reasoning suffix. */
export function listedModel(name: string): CatalogueModel | undefined {
  return byName.get(name) ?? byName.get(name.replace(VARIANT, ''))
}

/** Finds the model with the longest matching prefix at a dash: `o3-pro-2025-06-10` belongs to `o3-pro`. */
export function listedFamily(name: string): CatalogueModel | undefined {
  for (let end = name.lastIndexOf('-'); end > 0; end = name.lastIndexOf('-', end - 1)) {
    const row = byName.get(name.slice(0, end))
    if (row) return row
  }
  return undefined
}

/** Every name and alias in the catalogue. */
export function listedNames(): Iterable<readonly [name: string, row: CatalogueModel]> {
  return byName
}

/** Published limits of a model, in tokens. */
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

/** Published abilities of a model. */
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

/** Name prefixes that only one provider uses, such as `claude`. */
const FAMILIES = families()

/** The provider of a model or of its family; blank if unknown. */
export function modelProvider(model: string): string {
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
