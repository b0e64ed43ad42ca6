/** Usage and a price book make a receipt. Pure: the console shows prices with the same code that bills. */
export {
  collapseGizmo,
  priceOf,
  type CallPrice,
  type ModelPrice,
  type PriceBook,
  type TokenPrice,
} from './price-book.ts'
export { computeReceipt, estimateReserve, type Receipt, type ReceiptLine } from './receipt.ts'
export { NO_USAGE, completionTokens, promptTokens, type Usage } from './usage.ts'
