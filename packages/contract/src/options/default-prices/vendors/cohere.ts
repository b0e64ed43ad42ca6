// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const coherePrices: Readonly<Record<string, PriceRow>> = {
  command: [0.5, 2],
  'command-a-03-2025': [1.25, 4],
  'command-light': [0.15, 2],
  'command-nightly': [0.5, 2],
  'command-r': [0.075, 4],
  'command-r-08-2024': [0.075, 4],
  'command-r-plus': [1.25, 4],
  'command-r-plus-08-2024': [1.25, 4],
  'command-r7b-12-2024': [0.01875, 4],
  'embed-english-light-v2.0': [0.05],
  'embed-english-light-v3.0': [0.05],
  'embed-english-v2.0': [0.05],
  'embed-english-v3.0': [0.05],
  'embed-multilingual-v2.0': [0.05],
  'embed-multilingual-v3.0': [0.05],
  'embed-v4.0': [0.06],
}
