// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const voyagePrices: Readonly<Record<string, PriceRow>> = {
  'rerank-2': [0.025],
  'rerank-2-lite': [0.01],
  'rerank-2.5': [0.025],
  'rerank-2.5-lite': [0.01],
  'voyage-2': [0.05],
  'voyage-3': [0.03],
  'voyage-3-large': [0.09],
  'voyage-3-lite': [0.01],
  'voyage-3.5': [0.03],
  'voyage-3.5-lite': [0.01],
  'voyage-code-2': [0.06],
  'voyage-code-3': [0.09],
  'voyage-context-3': [0.09],
  'voyage-finance-2': [0.06],
  'voyage-large-2': [0.06],
  'voyage-law-2': [0.06],
  'voyage-lite-01': [0.05],
  'voyage-lite-02-instruct': [0.05],
  'voyage-multimodal-3': [0.06],
}
