import type { RateCard } from '@tidegate/contract'

/** The common part of every price. */
export interface PriceBase {
  /** The name the price was looked up by. */
  readonly priceName: string
  readonly group: string
  /** The effective ratio: the group's, or that of the user's own group in it. */
  readonly groupRatio: number
  /** Set if the user's own group has a special ratio in the group of the request; `groupRatio` is then the same. */
  readonly userGroupRatio?: number
  readonly quotaPerUnit: number
  readonly basis?: PriceBasis
  /** The version of the price catalogue, and of the catalog snapshot that the options come from. */
  readonly version?: string
}

/**
 * Where a price comes from: the operator, the price catalogue, the fallback, or the built-in default for unpriced
 * models.
 */
export type PriceBasis = 'set' | 'list' | 'fallback' | 'unset'

export interface TokenPrice extends PriceBase {
  readonly kind: 'token'
  /** Rates, tiers and fees over time: the card that is valid when a request begins applies. */
  readonly cards: readonly RateCard[]
  /** Quota for 1,000,000 tokens at a rate of 1, before the group ratio. */
  readonly quotaPerRate: number
  /** The price of another model that took part in a response. */
  readonly priceOfPart?: (model: string) => TokenPrice | undefined
}

export interface CallPrice extends PriceBase {
  readonly kind: 'call'
  /** USD per request, or per piece if the usage counts pieces. */
  readonly callPrice: number
  /** Only for images: multipliers of the piece price. */
  readonly image?: ImageFactors
  /** USD for additional charges of the provider, such as searches. */
  readonly fees?: RateCard['fees']
}

export interface ImageFactors {
  readonly size: string
  readonly quality: string
  readonly sizeRatio: number
  readonly qualityRatio: number
  /** The model ratio if the model has no price of its own, else 1. */
  readonly modelRatio: number
}

export type ModelPrice = TokenPrice | CallPrice
