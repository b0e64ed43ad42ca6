// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const jinaLimits: Readonly<Record<string, LimitRow>> = {
  'jina-reranker-v2-base-multilingual': [1024, 1024],
}
