import { ApiError, type RateCard } from '@tidegate/contract'
import { callPriceOf, priceBase, priceOf, type PriceBook, type PriceQuery } from './price-book.ts'
import type { CallPrice, ModelPrice } from './price.ts'
import { cardAt } from './rate-card.ts'

/** USD for an image or music task without a price. */
const UNSET_TASK_PRICE = 0.1
/** USD per second of video for a model without a price, for users who accept such models: deliberately high. */
const UNSET_VIDEO_SECOND = 1

/** The price of an image or music task. Tasks always have a price per piece: ratios do not apply to them. */
export function taskPriceOf(book: PriceBook, query: PriceQuery): CallPrice {
  const base = priceBase(book, query)
  return callPriceOf(book, base) ?? { kind: 'call', callPrice: UNSET_TASK_PRICE, ...base, basis: 'unset' }
}

/**
 * The price per second of video at a size such as `1280x720` or `4k`; of several sizes, the most expensive. Throws an
 * ApiError if the model has no price.
 */
export function videoPriceOf(book: PriceBook, query: PriceQuery, sizes: readonly string[]): CallPrice {
  const base = priceBase(book, query)
  const price = findPrice(book, query)
  if (price?.kind === 'call') return price
  const fee = price && cardAt(price.cards, new Date())?.fees?.videoSecond
  if (price && fee !== undefined) {
    const callPrice = Math.max(...sizes.map((size) => secondPrice(fee, size)))
    return { kind: 'call', ...base, callPrice, ...(price.basis && { basis: price.basis }) }
  }
  const perCall = callPriceOf(book, base)
  if (perCall) return perCall
  if (book.SelfUseModeEnabled || query.acceptUnset) {
    return { kind: 'call', ...base, callPrice: UNSET_VIDEO_SECOND, basis: 'unset' }
  }
  throw new ApiError('model_price_error', { model: base.priceName })
}

function findPrice(book: PriceBook, query: PriceQuery): ModelPrice | undefined {
  try {
    return priceOf(book, query)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

type SecondFee = NonNullable<NonNullable<RateCard['fees']>['videoSecond']>

/** Resolution names by the shorter side. */
const RESOLUTIONS: Readonly<Record<string, string>> = { 480: '480p', 720: '720p', 1080: '1080p', 2160: '4k' }

/** An unlisted size costs as much as the most expensive one. */
function secondPrice(fee: SecondFee, size: string): number {
  if (typeof fee === 'number') return fee
  const [, width = '', height = ''] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  const shorter = String(Math.min(Number(width), Number(height)))
  const names = [size, `${height}x${width}`, RESOLUTIONS[shorter] ?? '', 'any']
  const name = names.find((one) => Object.hasOwn(fee, one))
  return name === undefined ? Math.max(0, ...Object.values(fee)) : fee[name]!
}
