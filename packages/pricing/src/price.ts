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
  /** Where the figure came from: the site's maps, the fallback, or the built-in figure for what nobody priced. */
  readonly basis?: PriceBasis
  /** Which prices: the version of the default list, and of the catalog the options were read from. */
  readonly version?: string
}

export type PriceBasis = 'set' | 'fallback' | 'unset'

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
  /** USD for one call, or for each piece when the usage counts pieces. */
  readonly callPrice: number
  /** Only for images: what the price of a piece is multiplied by. */
  readonly image?: ImageFactors
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
