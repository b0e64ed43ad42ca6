// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const alibabaPrices: Readonly<Record<string, PriceRow>> = {
  'qwen-coder': [0.15, 5],
  'qwen-max': [0.8, 4],
  'qwen-plus': [0.2, 3],
  'qwen-plus-2025-01-25': [0.2, 3],
  'qwen-plus-2025-04-28': [0.2, 3],
  'qwen-plus-2025-07-14': [0.2, 3],
  'qwen-turbo': [0.025, 4],
  'qwen-turbo-2024-11-01': [0.025, 4],
  'qwen-turbo-2025-04-28': [0.025, 4],
  'qwen-turbo-latest': [0.025, 4],
  'qwen3-next-80b-a3b-instruct': [0.075, 8],
  'qwen3-next-80b-a3b-thinking': [0.075, 8],
  'qwen3-vl-235b-a22b-instruct': [0.2, 4],
  'qwen3-vl-235b-a22b-thinking': [0.2, 10],
  'qwen3-vl-32b-instruct': [0.08, 4],
  'qwen3-vl-32b-thinking': [0.08, 17.9375],
  'qwen3.7-max': [1.25, 3, 0.2],
  'qwq-plus': [0.4, 3],
}
