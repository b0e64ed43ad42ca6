import { priceBase, priceOf, type PriceBook, type PriceQuery } from './price-book.ts'
import type { ModelPrice, TokenPrice } from './price.ts'
import { ratiosOf } from './ratios.ts'

/** The image options of a request; missing ones cost nothing extra. */
export interface ImageRequest {
  readonly size?: string | undefined
  readonly quality?: string | undefined
}

/** USD for an image of a model that has only a ratio, for each unit of that ratio. */
const USD_PER_RATIO = 0.0025

const SIZE_RATIOS = new Map([
  ['256x256', 0.4],
  ['512x512', 0.45],
  ['1024x1024', 1],
  ['1024x1792', 2],
  ['1792x1024', 2],
])

/**
 * The price of each image of a request; the usage counts images as pieces. Throws an ApiError if the model has no
 * price.
 */
export function imagePriceOf(
  book: PriceBook,
  query: PriceQuery,
  { size = '', quality = '' }: ImageRequest,
): ModelPrice {
  const price = priceOf(book, query)
  if (price.kind === 'token' && isSoldByCard(price)) return price
  const perToken = price.kind === 'token'
  return {
    kind: 'call',
    ...priceBase(book, query),
    basis: price.basis,
    callPrice: perToken ? USD_PER_RATIO : price.callPrice,
    image: {
      size,
      quality,
      sizeRatio: SIZE_RATIOS.get(size) ?? 1,
      qualityRatio: qualityRatio([price.priceName, query.upstreamName], size, quality),
      modelRatio: perToken ? ratiosOf(price, new Date()).modelRatio : 1,
    },
  }
}

/** Whether the card prices image tokens apart from text tokens, or images by the piece. */
function isSoldByCard({ cards }: TokenPrice): boolean {
  return cards.some(
    ({ rates, fees }) =>
      (rates?.imageOutput !== undefined && rates.imageOutput !== rates.output) ||
      (fees?.image ?? fees?.imageBySizeQuality) !== undefined,
  )
}

/** The provider charges for `hd` even if the model has another name here. */
function qualityRatio(names: readonly string[], size: string, quality: string): number {
  if (quality !== 'hd' || !names.includes('dall-e-3')) return 1
  return size.includes('1792') ? 1.5 : 2
}
