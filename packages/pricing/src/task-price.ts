import { callPriceOf, framePrice, type PriceBook, type PriceQuestion } from './price-book.ts'
import type { CallPrice } from './price.ts'

/** USD for a drawing or a song that nobody priced. */
const UNSET_TASK_PRICE = 0.1

/** The price of a drawing or music task. Always one per task, never a refusal: a ratio says nothing about a task. */
export function taskPriceOf(book: PriceBook, question: PriceQuestion): CallPrice {
  const frame = framePrice(book, question)
  return callPriceOf(book, frame) ?? { kind: 'call', callPrice: UNSET_TASK_PRICE, ...frame, basis: 'unset' }
}
