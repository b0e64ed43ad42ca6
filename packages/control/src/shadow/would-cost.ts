import { computeReceipt, NO_USAGE, type ModelPrice, type Usage } from '@tidegate/pricing'

/** What a call would have been priced by, as it was written when the call came. */
export interface KeptPricing {
  readonly price: ModelPrice
  /** Where something else is sold than tokens. */
  readonly usage?: Usage
}

/** What a call would have cost with these counts; null where it cannot be said. */
export function wouldCost(pricing: KeptPricing | null, tokens: { prompt: number; completion: number }): number | null {
  if (!pricing) return null
  // Rows of earlier versions keep ratios that can no longer be priced.
  if (pricing.price.kind === 'token' && !('cards' in pricing.price)) return null
  const usage = pricing.usage ?? { ...NO_USAGE, input: tokens.prompt, output: tokens.completion }
  try {
    return computeReceipt(pricing.price, usage).quota
  } catch (error) {
    if (error instanceof RangeError) return null // counts that are none: the old log is not ours to correct
    throw error
  }
}
