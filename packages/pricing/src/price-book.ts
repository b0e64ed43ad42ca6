import { DEFAULT_PRICES_VERSION, Refusal, type Settings } from '@tidegate/contract'
import { audioRatiosOf } from './audio-ratio.ts'
import { completionRatioOf } from './completion-ratio.ts'
import { figure, type Figures } from './figure.ts'
import type { CallPrice, ModelPrice, PriceFrame, TokenPrice } from './price.ts'

/** Options a price depends on. */
export type PriceBook = Pick<
  Settings,
  | 'QuotaPerUnit'
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
  /** Ratios that users of one group have in another, by their own group and then the using one. No option sets it yet. */
  readonly UserGroupRatio?: Readonly<Record<string, Figures>>
}

export interface PriceQuestion {
  /** As the client sent it. */
  modelName: string
  /** As the vendor will be asked for it. */
  upstreamName: string
  /** The group the call is made in. */
  group: string
  /** The user takes models without a price, at the built-in high ratio. */
  acceptUnset: boolean
  /** The group the user belongs to. */
  userGroup?: string
  /** Of the catalog snapshot the book comes from. */
  catalogVersion?: number
}

/** What a model nobody priced costs those who may use it all the same: deliberately high. */
const UNSET_RATIO = 37.5
const CACHE_WRITE_RATIO = 1.25
const CACHE_WRITE_1H_RATIO = 2

/** The price of a call, or a refusal when the model has none. */
export function priceOf(book: PriceBook, question: PriceQuestion): ModelPrice {
  const frame = framePrice(book, question)
  const { priceName } = frame
  const perCall = callPriceOf(book, frame)
  if (perCall?.basis === 'set') return perCall
  const ratio = figure(book.ModelRatio, priceName)
  if (ratio !== undefined) return tokenPrice(book, { ...frame, basis: 'set' }, ratio)
  if (perCall) return perCall

  const { fallback_pricing_enabled: enabled, fallback_input_ratio: input = 0 } = book
  if (enabled && input > 0) {
    // Blank and zero mean "not set", as for the single price.
    const completion = book.fallback_completion_ratio || undefined
    return tokenPrice(book, { ...frame, basis: 'fallback' }, input, completion)
  }
  if (book.SelfUseModeEnabled || question.acceptUnset)
    return tokenPrice(book, { ...frame, basis: 'unset' }, UNSET_RATIO)
  throw new Refusal('model_price_error', { model: priceName })
}

/** Custom assistants share the price of their family. */
export function collapseGizmo(model: string): string {
  return model.startsWith('gpt-4') ? model.replace(/^(gpt-4o?-gizmo-).*$/, '$1*') : model
}

/** The part of a price that does not depend on what is sold. */
export function framePrice(book: PriceBook, question: PriceQuestion): PriceFrame {
  const { modelName, upstreamName, group, userGroup, catalogVersion } = question
  const billed = upstreamName !== modelName && !book.redirect_billing_enabled ? upstreamName : modelName
  const userGroupRatio = userGroup === undefined ? undefined : figure(ratiosOf(book, userGroup), group)
  return {
    priceName: collapseGizmo(billed),
    group,
    groupRatio: userGroupRatio ?? figure(book.GroupRatio, group) ?? 1,
    ...(userGroupRatio !== undefined && { userGroupRatio }),
    quotaPerUnit: book.QuotaPerUnit,
    version:
      catalogVersion === undefined ? DEFAULT_PRICES_VERSION : `${DEFAULT_PRICES_VERSION}/${String(catalogVersion)}`,
  }
}

/** The model's price per call, or the fallback's. The fallback is for models that have no ratio either. */
export function callPriceOf(book: PriceBook, frame: PriceFrame): CallPrice | undefined {
  const price = figure(book.ModelPrice, frame.priceName)
  if (price !== undefined) return { kind: 'call', callPrice: price, ...frame, basis: 'set' }
  const { fallback_pricing_enabled: enabled, fallback_single_price: single = 0 } = book
  return enabled && single > 0 ? { kind: 'call', callPrice: single, ...frame, basis: 'fallback' } : undefined
}

function tokenPrice(book: PriceBook, frame: PriceFrame, modelRatio: number, completionRatio?: number): TokenPrice {
  return {
    kind: 'token',
    ...frame,
    modelRatio,
    completionRatio: completionRatio ?? completionRatioOf(book.CompletionRatio, frame.priceName),
    cacheRatio: figure(book.CacheRatio, frame.priceName) ?? 1,
    cacheWriteRatio: CACHE_WRITE_RATIO,
    cacheWrite1hRatio: CACHE_WRITE_1H_RATIO,
    ...audioRatiosOf(frame.priceName),
  }
}

function ratiosOf({ UserGroupRatio }: PriceBook, userGroup: string): Figures | undefined {
  return UserGroupRatio !== undefined && Object.hasOwn(UserGroupRatio, userGroup)
    ? UserGroupRatio[userGroup]
    : undefined
}
