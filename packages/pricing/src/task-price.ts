import { ApiError, type RateCard } from '@tidegate/contract'
import { callPriceOf, priceBase, priceOf, type PriceBook, type PriceQuestion } from './price-book.ts'
import type { CallPrice, ModelPrice } from './price.ts'
import { cardAt } from './rate-card.ts'

/** USD for a drawing or a song that nobody priced. */
const UNSET_TASK_PRICE = 0.1
/** USD for a second of video at a model without a price, for users who accept such models: deliberately high. */
const UNSET_VIDEO_SECOND = 1

/** The price of a drawing or music task. Always one per task, never a refusal: a ratio says nothing about a task. */
export function taskPriceOf(book: PriceBook, question: PriceQuestion): CallPrice {
  const frame = priceBase(book, question)
  return callPriceOf(book, frame) ?? { kind: 'call', callPrice: UNSET_TASK_PRICE, ...frame, basis: 'unset' }
}

/**
 * The price of a second of video at a size such as `1280x720` or `4k`; of several sizes, the most expensive. Refuses a model
 * that has no price for it.
 */
export function videoPriceOf(book: PriceBook, question: PriceQuestion, sizes: readonly string[]): CallPrice {
  const frame = priceBase(book, question)
  const price = findPrice(book, question)
  if (price?.kind === 'call') return price
  const fee = price && cardAt(price.cards, new Date())?.fees?.videoSecond
  if (price && fee !== undefined) {
    const callPrice = Math.max(...sizes.map((size) => secondPrice(fee, size)))
    return { kind: 'call', ...frame, callPrice, ...(price.basis && { basis: price.basis }) }
  }
  const perCall = callPriceOf(book, frame)
  if (perCall) return perCall
  if (book.SelfUseModeEnabled || question.acceptUnset) {
    return { kind: 'call', ...frame, callPrice: UNSET_VIDEO_SECOND, basis: 'unset' }
  }
  throw new ApiError('model_price_error', { model: frame.priceName })
}

function findPrice(book: PriceBook, question: PriceQuestion): ModelPrice | undefined {
  try {
    return priceOf(book, question)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

type SecondFee = NonNullable<NonNullable<RateCard['fees']>['videoSecond']>

/** Names of resolutions by the shorter side of a frame. */
const RESOLUTIONS: Readonly<Record<string, string>> = { 480: '480p', 720: '720p', 1080: '1080p', 2160: '4k' }

/** A size that the card does not name costs as much as its most expensive one. */
function secondPrice(fee: SecondFee, size: string): number {
  if (typeof fee === 'number') return fee
  const [, width = '', height = ''] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  const shorter = String(Math.min(Number(width), Number(height)))
  const names = [size, `${height}x${width}`, RESOLUTIONS[shorter] ?? '', 'any']
  const name = names.find((one) => Object.hasOwn(fee, one))
  return name === undefined ? Math.max(0, ...Object.values(fee)) : fee[name]!
}
