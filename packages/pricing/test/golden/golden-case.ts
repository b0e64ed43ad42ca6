import type { ImageRequest } from '../../src/image-price.ts'
import type { PriceBook, PriceQuery } from '../../src/price-book.ts'
import type { Usage } from '../../src/usage.ts'

/** A receipt computed by hand. The test computes it from the prices, and again from its log row. */
export interface GoldenCase {
  readonly name: string
  readonly model: string
  /** Changes to the options of a new site. */
  readonly settings?: Partial<PriceBook>
  readonly query?: Partial<PriceQuery>
  readonly usage: Partial<Usage>
  /** Set for images; the usage counts them as pieces. */
  readonly image?: ImageRequest
  /** Set for image and music tasks. */
  readonly task?: true
  /** How the quota is computed. */
  readonly calculation: string
  readonly quota: number
}
