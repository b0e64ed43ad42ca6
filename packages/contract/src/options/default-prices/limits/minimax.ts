// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const minimaxLimits: Readonly<Record<string, LimitRow>> = {
  'MiniMax-M2': [200000, 8192],
  'MiniMax-M2.1': [1000000, 8192],
  'MiniMax-M2.1-lightning': [1000000, 8192],
  'MiniMax-M2.5': [1000000, 8192],
  'MiniMax-M2.5-lightning': [1000000, 8192],
  'MiniMax-M3': [1000000, 128000],
}
