import type { Quota } from '@tidegate/contract'
import type { ModelPrice, Usage } from '@tidegate/pricing'

/** What would have become of a call. */
export interface ShadowDecision {
  /** As the client asked for it; blank where the call was refused before it was read. */
  readonly model: string
  readonly isStream: boolean
  readonly group: string
  /** The channel that would have been asked first. */
  readonly channelId: number | null
  readonly upstreamModel: string
  readonly promptTokens: number
  readonly reserve: Quota
  /** The code it would have been refused with. */
  readonly refusal: string | null
  /** What other counts of tokens would have cost; null for a call that would have been refused. */
  readonly pricing: ShadowPricing | null
}

export interface ShadowPricing {
  readonly price: ModelPrice
  /** Where something else is sold than tokens: images, letters, sound. */
  readonly usage?: Usage
}

export interface ShadowRow extends ShadowDecision {
  readonly requestId: string
  readonly createdAt: Date
  readonly userId: number
  readonly tokenId: number
  readonly path: string
}
