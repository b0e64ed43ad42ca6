import type { PricedModel, PricePreset } from '@tidegate/contract/api'
import {
  amountsOf,
  builtInRatios,
  publicAmounts,
  ratioOfPrice,
  usdPerRatio,
  type Amounts,
  type BuiltInRatios,
} from './amounts.ts'
import {
  byName,
  isPriced,
  presetPrices,
  priceNameOf,
  stateOf,
  type Draft,
  type PriceList,
  type Prices,
  type RowState,
} from './price-list.ts'

/** One model of the price table. */
export interface ModelRow {
  name: string
  /** Blank if unknown. */
  provider: string
  /** A channel serves it. */
  isOffered: boolean
  /** Offered, but without a published price. */
  isUnpriced: boolean
  state: RowState
  /** The initial values of an edit: the draft, the stored prices, or the built-in list price as ratios. */
  prices: Prices
  builtIn: BuiltInRatios
  before: Amounts
  after: Amounts
  list: Amounts | undefined
  tiers: number
  fees: number
  groups: readonly string[]
}

export interface RowSources {
  enabled: readonly string[]
  /** Models of `GET /api/pricing` and the group ratios in their prices. */
  published: readonly PricedModel[]
  groupRatios: Readonly<Record<string, number>>
  preset: PricePreset | undefined
  stored: PriceList
  draft: Draft
  quotaPerUnit: number
  /** Models without a price are billed anyway, so a published price does not mean that one is set. */
  billsUnpriced: boolean
}

/** Offered models, models with a stored price and models of the draft. Unpriced models come first. */
export function modelRows(sources: RowSources): ModelRow[] {
  const { enabled, published, stored, draft, preset } = sources
  const offered = new Set(enabled.map(priceNameOf))
  const publicModels = new Map(published.map((model) => [model.model_name, model]))
  const listPrices = preset ? presetPrices(preset) : undefined
  const names = new Set([...offered, ...stored.keys(), ...draft.keys()])
  return [...names]
    .map((name) => rowOf(name, offered.has(name), publicModels.get(name), listPrices?.get(name), sources))
    .toSorted((one, other) => rank(one) - rank(other) || byName(one.name, other.name))
}

const rank = ({ isUnpriced, state }: ModelRow): number => (isUnpriced ? 0 : state === 'new' ? 1 : 2)

/** Ratios of the price list are based on the default quota per USD. */
const LIST_USD_PER_RATIO = 2

function rowOf(
  name: string,
  isOffered: boolean,
  model: PricedModel | undefined,
  listed: Prices | undefined,
  { stored, draft, groupRatios, quotaPerUnit, billsUnpriced }: RowSources,
): ModelRow {
  const usd = usdPerRatio(quotaPerUnit)
  const saved = stored.get(name) ?? {}
  const entered = draft.get(name)
  const builtIn = model ? builtInRatios(model) : {}
  const isPublished = model !== undefined && !billsUnpriced
  const before = isPriced(saved)
    ? amountsOf(saved, builtIn, usd)
    : isPublished
      ? publicAmounts(model, groupRatios[model.priced_group] ?? 1)
      : {}
  const base = isPriced(saved) ? saved : { ...saved, ...storedForm(before, usd) }
  const prices = entered ?? base
  const { tiers = [], fees = {} } = prices.card ?? (model && !entered?.card ? model : {})
  return {
    name,
    provider: model?.owner_by ?? '',
    isOffered,
    isUnpriced: isOffered && !isPriced(saved) && !isPublished,
    state: stateOf(name, stored, draft),
    prices,
    builtIn,
    before,
    after: entered === undefined ? before : entered === null ? {} : amountsOf(entered, builtIn, usd),
    list: listed && isPriced(listed) ? amountsOf(listed, {}, LIST_USD_PER_RATIO) : undefined,
    tiers: tiers.length,
    fees: Object.keys(fees).length,
    groups: model?.enable_groups ?? [],
  }
}

const storedForm = ({ input, call }: Amounts, usd: number): Prices =>
  call !== undefined ? { price: call } : input === undefined ? {} : { ratio: ratioOfPrice(input, usd) }
