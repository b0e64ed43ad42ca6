// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const minimaxPrices: Readonly<Record<string, PriceRow>> = {
  'MiniMax-M2': [0.15, 4, 0.1],
  'MiniMax-M2.1': [0.15, 4, 0.1],
  'MiniMax-M2.1-lightning': [0.15, 8, 0.1],
  'MiniMax-M2.5': [0.15, 4, 0.1],
  'MiniMax-M2.5-lightning': [0.15, 8, 0.1],
  'MiniMax-M3': [0.15, 4, 0.2],
}
