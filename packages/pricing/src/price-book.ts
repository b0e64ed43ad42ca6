import { Refusal, type Settings } from '@tidegate/contract'
import { builtInCompletionRatio } from './completion-ratio.ts'

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
>

interface PriceFrame {
  /** The name the price was looked up by. */
  readonly priceName: string
  readonly group: string
  readonly groupRatio: number
  readonly quotaPerUnit: number
}

export interface TokenPrice extends PriceFrame {
  readonly kind: 'token'
  readonly modelRatio: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly cacheWrite1hRatio: number
  readonly audioRatio: number
  readonly audioCompletionRatio: number
}

export interface CallPrice extends PriceFrame {
  readonly kind: 'call'
  /** USD for one call. */
  readonly callPrice: number
}

export type ModelPrice = TokenPrice | CallPrice

interface PriceQuestion {
  /** As the client sent it. */
  modelName: string
  /** As the vendor will be asked for it. */
  upstreamName: string
  group: string
  /** The user takes models without a price, at the built-in high ratio. */
  acceptUnset: boolean
}

/** What a model nobody priced costs those who may use it all the same: deliberately high. */
const UNSET_RATIO = 37.5
const CACHE_WRITE_RATIO = 1.25
const CACHE_WRITE_1H_RATIO = 2

/** The price of a call, or a refusal when the model has none. */
export function priceOf(book: PriceBook, { modelName, upstreamName, group, acceptUnset }: PriceQuestion): ModelPrice {
  const billed = upstreamName !== modelName && !book.redirect_billing_enabled ? upstreamName : modelName
  const priceName = collapseGizmo(billed)
  const frame = { priceName, group, groupRatio: own(book.GroupRatio, group) ?? 1, quotaPerUnit: book.QuotaPerUnit }

  const callPrice = own(book.ModelPrice, priceName)
  if (callPrice !== undefined) return { kind: 'call', callPrice, ...frame }
  const ratio = own(book.ModelRatio, priceName)
  if (ratio !== undefined) return tokenPrice(book, frame, ratio, completionRatio(book, priceName))

  const fallback = fallbackPrice(book)
  if (fallback?.kind === 'call') return { ...fallback, ...frame }
  if (fallback) return tokenPrice(book, frame, fallback.input, fallback.completion)
  if (book.SelfUseModeEnabled || acceptUnset)
    return tokenPrice(book, frame, UNSET_RATIO, completionRatio(book, priceName))
  throw new Refusal('model_price_error', { model: priceName })
}

/** Custom assistants share the price of their family. */
export function collapseGizmo(model: string): string {
  return model.replace(/^(gpt-4o?-gizmo-).*$/, '$1*')
}

function tokenPrice(book: PriceBook, frame: PriceFrame, modelRatio: number, completion: number): TokenPrice {
  return {
    kind: 'token',
    ...frame,
    modelRatio,
    completionRatio: completion,
    cacheRatio: own(book.CacheRatio, frame.priceName) ?? 1,
    cacheWriteRatio: CACHE_WRITE_RATIO,
    cacheWrite1hRatio: CACHE_WRITE_1H_RATIO,
    audioRatio: audioRatio(frame.priceName),
    audioCompletionRatio: 2,
  }
}

function completionRatio(book: PriceBook, model: string): number {
  const configured = own(book.CompletionRatio, model)
  const rule = builtInCompletionRatio(model)
  if (configured !== undefined && (model.includes('/') || !rule.binding)) return configured
  return rule.ratio
}

function audioRatio(model: string): number {
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

/** Either one price per call, or both ratios; only for models that have neither price nor ratio. */
function fallbackPrice(book: PriceBook) {
  if (!book.fallback_pricing_enabled) return undefined
  const { fallback_single_price: single, fallback_input_ratio: input, fallback_completion_ratio: completion } = book
  if (single !== undefined && single > 0) return { kind: 'call', callPrice: single } as const
  if (input !== undefined && input > 0) return { kind: 'token', input, completion: completion ?? 1 } as const
  return undefined
}

/** Maps come from JSON: a model named `constructor` must not find the prototype's. */
function own(map: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
