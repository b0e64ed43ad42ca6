import type { RateCard } from '@tidegate/contract'

/** What a price is made of, whatever is sold. */
export interface PriceFrame {
  /** The name the price was looked up by. */
  readonly priceName: string
  readonly group: string
  /** The ratio that counts: the group's, or the one this user's group has in it. */
  readonly groupRatio: number
  /** Set when the user's own group has a ratio of its own in the using group; then it is `groupRatio`. */
  readonly userGroupRatio?: number
  readonly quotaPerUnit: number
  readonly basis?: PriceBasis
  /** Which prices: the version of the catalogue, and of the catalog snapshot that the options were read from. */
  readonly version?: string
}

/** Where a price came from: the operator, the price catalogue, the fallback, or the built-in one for unpriced models. */
export type PriceBasis = 'set' | 'list' | 'fallback' | 'unset'

export interface TokenPrice extends PriceFrame {
  readonly kind: 'token'
  /** Rates, tiers and fees of all times: the card that is valid when a request begins counts. */
  readonly cards: readonly RateCard[]
  /** Quota for 1,000,000 tokens at a rate of 1, before the ratio of the group. */
  readonly quotaPerRate: number
  /** The price of another model that took part in a response. */
  readonly priceOfPart?: (model: string) => TokenPrice | undefined
}

export interface CallPrice extends PriceFrame {
  readonly kind: 'call'
  /** USD for one call, or for each piece when the usage counts pieces. */
  readonly callPrice: number
  /** Only for images: what the price of a piece is multiplied by. */
  readonly image?: ImageFactors
  /** USD for what a provider charges beside the call, such as searches. */
  readonly fees?: RateCard['fees']
}

export interface ImageFactors {
  readonly size: string
  readonly quality: string
  readonly sizeRatio: number
  readonly qualityRatio: number
  /** The model's ratio when it has no price of its own, else 1. */
  readonly modelRatio: number
}

export type ModelPrice = TokenPrice | CallPrice
