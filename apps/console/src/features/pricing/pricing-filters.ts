import { MODEL_ABILITIES, type PricedModel } from '@tidegate/contract/api'
import { callPrice, isPerCall, priceGroup, tokenPrices } from './prices.ts'

type Ability = (typeof MODEL_ABILITIES)[number]

export const BILLINGS = ['token', 'call'] as const
export type Billing = (typeof BILLINGS)[number]
export const SORTS = ['name', 'cheap', 'dear', 'context'] as const
export type Sort = (typeof SORTS)[number]
export const UNITS = ['price', 'ratio'] as const
export type Unit = (typeof UNITS)[number]

/** Filters, order and unit of the list, as the URL has them. */
export interface PricingView {
  keyword: string
  vendor: string
  group: string
  /** Blank for both. */
  billing: Billing | ''
  abilities: Ability[]
  sort: Sort
  unit: Unit
}

export function readView(search: URLSearchParams): PricingView {
  const abilities = (search.get('abilities') ?? '').split(',')
  return {
    keyword: (search.get('keyword') ?? '').trim(),
    vendor: search.get('vendor') ?? '',
    group: search.get('group') ?? '',
    billing: BILLINGS.find((billing) => billing === search.get('billing')) ?? '',
    abilities: MODEL_ABILITIES.filter((ability) => abilities.includes(ability)),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'name',
    unit: UNITS.find((unit) => unit === search.get('unit')) ?? 'price',
  }
}

export const NO_FILTERS = { keyword: null, vendor: null, group: null, billing: null, abilities: null } as const

/** Active filters without the keyword. */
export const countFilters = ({ vendor, group, billing, abilities }: PricingView): number =>
  [vendor, group, billing, abilities.join()].filter((filter) => filter !== '').length

export const isFiltered = (view: PricingView): boolean => view.keyword !== '' || countFilters(view) > 0

interface Prices {
  ratios: Readonly<Record<string, number>>
  ownGroup: string
}

/** The models that match, sorted. */
export function selectModels(models: readonly PricedModel[], view: PricingView, prices: Prices): PricedModel[] {
  const words = view.keyword.toLowerCase().split(/\s+/)
  const passes = (model: PricedModel) =>
    words.every((word) => `${model.model_name} ${model.owner_by}`.toLowerCase().includes(word)) &&
    (view.vendor === '' || model.owner_by === view.vendor) &&
    (view.group === '' || model.enable_groups.includes(view.group)) &&
    (view.billing === '' || isPerCall(model) === (view.billing === 'call')) &&
    view.abilities.every((ability) => model.abilities.includes(ability))
  return inOrder(models.filter(passes), view, prices)
}

/** Models billed per token come first, because their prices do not compare with prices per request. */
function inOrder(models: PricedModel[], { sort, group }: PricingView, { ratios, ownGroup }: Prices): PricedModel[] {
  if (sort === 'name') return models
  if (sort === 'context') return models.toSorted((one, other) => (other.context ?? 0) - (one.context ?? 0))
  const price = (model: PricedModel) => {
    const ratio = ratios[priceGroup(model, [group, ownGroup])] ?? 1
    return isPerCall(model) ? callPrice(model, ratio) : tokenPrices(model, ratio).input
  }
  const direction = sort === 'cheap' ? 1 : -1
  return models.toSorted((one, other) => one.quota_type - other.quota_type || direction * (price(one) - price(other)))
}

export function vendorsOf(models: readonly PricedModel[]): string[] {
  return [...new Set(models.map(({ owner_by: vendor }) => vendor))].filter((vendor) => vendor !== '').sort()
}
