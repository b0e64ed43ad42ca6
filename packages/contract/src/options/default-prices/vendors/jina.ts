// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const jinaPrices: Readonly<Record<string, PriceRow>> = {
  'jina-reranker-v2-base-multilingual': [0.009, 1],
}
