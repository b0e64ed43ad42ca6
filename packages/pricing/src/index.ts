/** Usage and a price book make a receipt. Pure: the console shows prices with the same code that bills. */
export { heardTokens, spokenTokens, transcriptionTokens } from './audio-tokens.ts'
export { builtInCompletionRatio } from './completion-ratio.ts'
export { imagePriceOf, type ImageRequest } from './image-price.ts'
export { invoiceOf, type Invoice, type InvoiceLine } from './invoice.ts'
export { logFactors } from './log-factors.ts'
export { collapseGizmo, priceOf, type PriceBook, type PriceQuestion } from './price-book.ts'
export type { CallPrice, ImageFactors, ModelPrice, PriceBasis, PriceFrame, TokenPrice } from './price.ts'
export {
  cardAt,
  chooseRates,
  type RateCard,
  type Rates,
  type Schedule,
  type Tier,
  type TierConditions,
} from './rate-card.ts'
export { computeReceipt, type Receipt, type ReceiptLine } from './receipt.ts'
export { affordableOutput, worstCaseQuota, type RequestBound } from './reserve.ts'
export { recompute, type LoggedCall } from './recompute.ts'
export { costOfUnits, soldUnits, type SoldUnits } from './sold-units.ts'
export { taskPriceOf } from './task-price.ts'
export { NO_USAGE, addUsage, completionTokens, pieceUsage, promptTokens, type Usage } from './usage.ts'
