/** Computes receipts from usage and prices. Pure code: the console shows prices with the same functions that bill. */
export { audioInputTokens, audioOutputTokens, transcriptionTokens } from './usage.ts'
export { imagePriceOf, type ImageRequest } from './image-price.ts'
export {
  describePrice,
  describeRequest,
  logFactors,
  priceFactors,
  toReceiptData,
  type PriceFactors,
  type ReceiptData,
  type ServiceRecord,
} from './log-row.ts'
export { collapseGizmo, priceOf, type PriceBook, type PriceQuery } from './price-book.ts'
export type { CallPrice, ImageFactors, ModelPrice, PriceBasis, PriceBase, TokenPrice } from './price.ts'
export { quoteRateCard, type RateCardQuote } from './quoted-card.ts'
export { cardAt, isTierPriced } from './rate-card.ts'
export { priceByRatios, ratiosOf, type PriceRatios } from './ratios.ts'
export { computeReceipt, pricedFee, type Receipt, type ReceiptLine } from './receipt.ts'
export { affordableOutput, worstCaseQuota, type RequestBound } from './reserve.ts'
export { recomputeQuota, type LoggedRequest } from './recompute.ts'
export { costOfRequest, costOfUnits, readSoldUnits, type SoldUnits } from './sold-units.ts'
export { taskPriceOf, videoPriceOf } from './task-price.ts'
export { NO_USAGE, addUsage, completionTokens, pieceUsage, promptTokens, type Usage } from './usage.ts'
