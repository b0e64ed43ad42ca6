import type { ImageRequest } from '../../src/image-price.ts'
import type { PriceBook, PriceQuestion } from '../../src/price-book.ts'
import type { Usage } from '../../src/usage.ts'

/** A bill worked out by hand: the test computes it from the book and again from its log row. */
export interface GoldenCase {
  readonly of: string
  readonly model: string
  /** Changes to the options a new site starts with. */
  readonly settings?: Partial<PriceBook>
  readonly question?: Partial<PriceQuestion>
  readonly usage: Partial<Usage>
  /** Set for images; the usage counts them as pieces. */
  readonly image?: ImageRequest
  /** Set for drawing and music. */
  readonly task?: true
  /** How the quota comes about. */
  readonly working: string
  readonly quota: number
}
