import {
  ApiError,
  CATALOGUE_VERSION,
  type CatalogueModel,
  DEFAULT_PRICES,
  type Fee,
  listedFamily,
  listedModel,
  type RateCard,
  type Rates,
  ratioView,
  type Settings,
  type Tier,
  UNIT_FEES,
} from '@tidegate/contract'
import { multiply, toNumber } from './decimal.ts'
import type { CallPrice, ModelPrice, PriceBase, TokenPrice } from './price.ts'
import { cardAt } from './rate-card.ts'
import { audioRatiosOf, QUOTA_PER_USD_RATE, quotaPerRatio, ratioRates } from './ratios.ts'

/** The options that prices depend on. */
export type PriceBook = Pick<
  Settings,
  | 'QuotaPerUnit'
  | 'ModelRates'
  | 'ModelPrice'
  | 'ModelRatio'
  | 'CompletionRatio'
  | 'CacheRatio'
  | 'GroupRatio'
  | 'SelfUseModeEnabled'
  | 'redirect_billing_enabled'
  | 'fallback_pricing_enabled'
  | 'fallback_single_price'
  | 'fallback_input_ratio'
  | 'fallback_completion_ratio'
> & {
  /** Group ratios by the user's own group, then by the group in use. No option sets it yet. */
  readonly UserGroupRatio?: Readonly<Record<string, NumbersByName>>
}

export interface PriceQuery {
  /** As the client sent it. */
  modelName: string
  /** As sent to the provider. */
  upstreamName: string
  /** The group of the request. */
  group: string
  /** The user accepts models without a price, at the built-in high ratio. */
  acceptUnset: boolean
  /** The group the user belongs to. */
  userGroup?: string
  /** Version of the catalog snapshot that the options come from. */
  catalogVersion?: number
}

/** The ratio of a model without a price, for users who may use it anyway: deliberately high. */
const UNSET_RATIO = 37.5
/** Ratios for cache writes, if the catalogue has none. */
const CACHE_WRITE_RATIO = 1.25
const CACHE_WRITE_1H_RATIO = 2

/**
 * The price of a request. Throws an ApiError if the model has none. Precedence: the operator's rate card, price per
 * call, ratios, price catalogue, fallback.
 */
export function priceOf(book: PriceBook, query: PriceQuery): ModelPrice {
  const base = priceBase(book, query)
  const { priceName } = base
  const operatorCard = operatorRateCard(book, priceName)
  if (operatorCard) return cardPrice(book, { ...base, basis: 'set' }, [operatorCard], book.QuotaPerUnit)
  const listed = listedModel(priceName)
  if (listed && followsList(book, priceName, listed)) return listPrice(book, base, listed)
  const perCall = callPriceOf(book, base)
  if (perCall?.basis === 'set') return perCall
  const ratio = numberFor(book.ModelRatio, priceName)
  if (ratio !== undefined) return ratioPrice(book, { ...base, basis: 'set' }, ratio)
  if (listed && listed.prices.length > 0) return listPrice(book, base, listed)
  if (perCall) return perCall

  const { fallback_pricing_enabled: enabled, fallback_input_ratio: input = 0 } = book
  if (enabled && input > 0) {
    // Empty and zero mean "not set", as for the single price.
    const completion = book.fallback_completion_ratio || undefined
    return ratioPrice(book, { ...base, basis: 'fallback' }, input, completion)
  }
  if (book.SelfUseModeEnabled || query.acceptUnset) {
    const { completionRatio = 1 } = knownRatios(priceName)
    return ratioPrice(book, { ...base, basis: 'unset' }, UNSET_RATIO, completionRatio)
  }
  throw new ApiError('model_price_error', { model: priceName })
}

/** Custom GPTs share the price of their family. */
export function collapseGizmo(model: string): string {
  return model.startsWith('gpt-4') ? model.replace(/^(gpt-4o?-gizmo-).*$/, '$1*') : model
}

/** The part of a price that does not depend on what is sold. */
export function priceBase(book: PriceBook, query: PriceQuery): PriceBase {
  const { modelName, upstreamName, group, userGroup, catalogVersion } = query
  const billed = upstreamName !== modelName && !book.redirect_billing_enabled ? upstreamName : modelName
  const userGroupRatio = userGroup === undefined ? undefined : numberFor(userGroupRatios(book, userGroup), group)
  return {
    priceName: collapseGizmo(billed),
    group,
    groupRatio: userGroupRatio ?? numberFor(book.GroupRatio, group) ?? 1,
    ...(userGroupRatio !== undefined && { userGroupRatio }),
    quotaPerUnit: book.QuotaPerUnit,
    version: catalogVersion === undefined ? CATALOGUE_VERSION : `${CATALOGUE_VERSION}/${String(catalogVersion)}`,
  }
}

/** The model's price per call, or the fallback's. The fallback applies only to models without a ratio. */
export function callPriceOf(book: PriceBook, base: PriceBase): CallPrice | undefined {
  const price = numberFor(book.ModelPrice, base.priceName)
  const fees = scaleFees(validCard(listedModel(base.priceName)?.prices ?? []).fees, 1)
  if (price !== undefined) return { kind: 'call', callPrice: price, ...base, basis: 'set', ...fees }
  const { fallback_pricing_enabled: enabled, fallback_single_price: single = 0 } = book
  return enabled && single > 0 ? { kind: 'call', callPrice: single, ...base, basis: 'fallback' } : undefined
}

function operatorRateCard({ ModelRates }: PriceBook, name: string): RateCard | undefined {
  return Object.hasOwn(ModelRates, name) ? ModelRates[name] : undefined
}

/** Whether the options equal the catalogue. The model then follows the catalogue, with its tiers and changes. */
function followsList(book: PriceBook, name: string, { prices }: CatalogueModel): boolean {
  const configured = {
    modelPrice: numberFor(book.ModelPrice, name),
    modelRatio: numberFor(book.ModelRatio, name),
    completionRatio: numberFor(book.CompletionRatio, name),
    cacheRatio: numberFor(book.CacheRatio, name),
  }
  if (configured.modelPrice === undefined && configured.modelRatio === undefined) return false
  // The defaults are from the day the process started.
  const initial = {
    modelPrice: numberFor(DEFAULT_PRICES.modelPrice, name),
    modelRatio: numberFor(DEFAULT_PRICES.modelRatio, name),
    completionRatio: numberFor(DEFAULT_PRICES.completionRatio, name),
    cacheRatio: numberFor(DEFAULT_PRICES.cacheRatio, name),
  }
  return [ratioView(validCard(prices)), initial].some((view) =>
    (Object.keys(configured) as (keyof typeof configured)[]).every((map) => {
      // An empty output or cache ratio comes from the catalogue.
      if (configured[map] === undefined)
        return view[map] === undefined || map === 'completionRatio' || map === 'cacheRatio'
      return view[map] !== undefined && Math.abs(configured[map] - view[map]) < RATIO_TOLERANCE
    }),
  )
}

function validCard(prices: readonly RateCard[]): RateCard {
  return cardAt(prices, new Date()) ?? prices.at(-1) ?? {}
}

/** Ratios may differ by notation: 0.333333 and 1/3. */
const RATIO_TOLERANCE = 0.000001

function listPrice(book: PriceBook, base: PriceBase, { prices }: CatalogueModel): ModelPrice {
  const card = validCard(prices)
  const { modelPrice } = ratioView(card)
  // Searches are counted: one request may have several.
  if (modelPrice !== undefined && card.fees?.search === undefined)
    return { kind: 'call', callPrice: modelPrice, ...base, basis: 'list' }
  return cardPrice(book, { ...base, basis: 'list' }, prices, QUOTA_PER_USD_RATE)
}

function cardPrice(book: PriceBook, base: PriceBase, cards: readonly RateCard[], quotaPerRate: number): TokenPrice {
  return { kind: 'token', ...base, cards, quotaPerRate, priceOfPart: (model) => partPrice(book, base, model) }
}

/** The price of another model that took part in a response, for the same user. */
function partPrice(book: PriceBook, { group, groupRatio }: PriceBase, model: string): TokenPrice | undefined {
  const plain = { ...book, fallback_pricing_enabled: false, SelfUseModeEnabled: false }
  try {
    const price = priceOf(plain, { modelName: model, upstreamName: model, group, acceptUnset: false })
    return price.kind === 'token' ? { ...price, groupRatio } : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface KnownRatios {
  readonly completionRatio?: number
  readonly cacheRatio?: number
}

/** Output and cache ratios of the catalogue: those of the model, else of its family. */
function knownRatios(name: string): KnownRatios {
  const row = listedModel(name) ?? listedFamily(name)
  return row ? ratioView(validCard(row.prices)) : {}
}

/**
 * A price by ratios. Tiers and fees of the catalogue apply as multiples: a markup of 20 % also holds for long prompts.
 */
function ratioPrice(book: PriceBook, base: PriceBase, modelRatio: number, completionRatio?: number): TokenPrice {
  const { priceName } = base
  const known = knownRatios(priceName)
  const listed = listedModel(priceName)
  const listedRates = validCard(listed?.prices ?? []).rates
  const ofInput = (rate: number | undefined) =>
    rate === undefined || !listedRates?.input ? undefined : roundTo12(rate / listedRates.input)
  const audio = audioRatiosOf(priceName, listedRates)
  const rates: Rates = {
    ...ratioRates({
      completionRatio: completionRatio ?? numberFor(book.CompletionRatio, priceName) ?? known.completionRatio,
      cacheRatio: numberFor(book.CacheRatio, priceName) ?? known.cacheRatio ?? 1,
      cacheWriteRatio: ofInput(listedRates?.cacheWrite5m) ?? CACHE_WRITE_RATIO,
      cacheWrite1hRatio: ofInput(listedRates?.cacheWrite1h) ?? CACHE_WRITE_1H_RATIO,
      ...audio,
    }),
    ...bucketRates(listedRates, EXTRA_BUCKETS, ofInput),
  }
  const markup = listedRates?.input ? toNumber(multiply(modelRatio, 2)) / listedRates.input : 1
  const cards = (listed && listed.prices.length > 0 ? listed.prices : [{} as RateCard]).map((card): RateCard => ({
    ...(card.effective !== undefined && { effective: card.effective }),
    ...(card.until !== undefined && { until: card.until }),
    rates,
    ...(card.tiers && { tiers: card.tiers.map((tier) => scaleTier(tier, card.rates ?? {}, rates)) }),
    ...scaleFees(card.fees, markup),
  }))
  return {
    kind: 'token',
    ...base,
    cards,
    quotaPerRate: quotaPerRatio(modelRatio),
    priceOfPart: (model) => partPrice(book, base, model),
  }
}

const EXTRA_BUCKETS = [
  'reasoning',
  'imageInput',
  'imageCached',
  'imageOutput',
  'audioCached',
  'videoOutput',
  'citation',
] as const

function bucketRates(
  base: Rates | undefined,
  buckets: readonly (keyof Rates)[],
  ofInput: (rate: number | undefined) => number | undefined,
): Rates {
  const known = buckets.flatMap((bucket) => {
    const rate = ofInput(base?.[bucket])
    return rate === undefined ? [] : [[bucket, rate] as const]
  })
  return Object.fromEntries(known)
}

/** Scales a tier of the catalogue to the operator's rates. */
function scaleTier(tier: Tier, base: Rates, rates: Rates): Tier {
  if (!tier.rates) return tier
  const scaled = (Object.entries(tier.rates) as [keyof Rates, number][]).flatMap(([bucket, rate]) => {
    const [listed, own] = [base[bucket], rates[bucket]]
    return listed === undefined || own === undefined || listed === 0
      ? []
      : [[bucket, roundTo12((own * rate) / listed)] as const]
  })
  return { when: tier.when, rates: Object.fromEntries(scaled) }
}

/** Fees in addition to a price by ratios or per call, with the markup of that price. */
function scaleFees(fees: RateCard['fees'], markup: number): Pick<RateCard, 'fees'> {
  const added = Object.entries(fees ?? {}).flatMap(([fee, price]) => {
    if (UNIT_FEES.has(fee as Fee)) return []
    const isTokens = fee === 'webSearchInputBlock'
    return [[fee, isTokens || typeof price !== 'number' ? price : roundTo12(price * markup)] as const]
  })
  return added.length > 0 ? { fees: Object.fromEntries(added) } : {}
}

/** Amounts are computed with twelve decimals. */
function roundTo12(amount: number): number {
  return Number(amount.toFixed(12))
}

function userGroupRatios({ UserGroupRatio }: PriceBook, userGroup: string): NumbersByName | undefined {
  return UserGroupRatio !== undefined && Object.hasOwn(UserGroupRatio, userGroup)
    ? UserGroupRatio[userGroup]
    : undefined
}

/** Prices or ratios by model or group. */
type NumbersByName = Readonly<Record<string, number>>

/** Maps come from JSON: a model named `constructor` must not match the prototype. */
function numberFor(map: NumbersByName | undefined, name: string): number | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
