// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const jinaAbilities: AbilityRows = {
  'jina-reranker-v2-base-multilingual': [],
}
