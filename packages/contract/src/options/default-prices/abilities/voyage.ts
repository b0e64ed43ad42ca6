// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const voyageAbilities: AbilityRows = {
  'rerank-2': [],
  'rerank-2-lite': [],
  'rerank-2.5': [],
  'rerank-2.5-lite': [],
  'voyage-2': [],
  'voyage-3': [],
  'voyage-3-large': [],
  'voyage-3-lite': [],
  'voyage-3.5': [],
  'voyage-3.5-lite': [],
  'voyage-code-2': [],
  'voyage-code-3': [],
  'voyage-context-3': [],
  'voyage-finance-2': [],
  'voyage-large-2': [],
  'voyage-law-2': [],
  'voyage-lite-01': [],
  'voyage-lite-02-instruct': [],
  'voyage-multimodal-3': [],
}
