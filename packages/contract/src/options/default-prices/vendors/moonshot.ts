// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const moonshotPrices: Readonly<Record<string, PriceRow>> = {
  'kimi-k2-0711-preview': [0.3, 4.166666666667, 0.25],
  'kimi-k2-0905-preview': [0.3, 4.166666666667, 0.25],
  'kimi-k2-thinking': [0.3, 4.166666666667, 0.25],
  'kimi-k2-thinking-turbo': [0.575, 6.956521739131, 0.130434782609],
  'kimi-k2-turbo-preview': [0.575, 6.956521739131, 0.130434782609],
  'kimi-k2.5': [0.3, 5, 0.166666666667],
  'kimi-k2.6': [0.475, 4.21052631579, 0.168421052632],
  'kimi-latest': [1, 2.5, 0.075],
  'kimi-latest-128k': [1, 2.5, 0.075],
  'kimi-latest-32k': [0.5, 3, 0.15],
  'kimi-latest-8k': [0.1, 10, 0.75],
  'kimi-thinking-preview': [0.3, 4.166666666667, 0.25],
  'moonshot-v1-128k': [1, 2.5],
  'moonshot-v1-128k-0430': [1, 2.5],
  'moonshot-v1-128k-vision-preview': [1, 2.5],
  'moonshot-v1-32k': [0.5, 3],
  'moonshot-v1-32k-0430': [0.5, 3],
  'moonshot-v1-32k-vision-preview': [0.5, 3],
  'moonshot-v1-8k': [0.1, 10],
  'moonshot-v1-8k-0430': [0.1, 10],
  'moonshot-v1-8k-vision-preview': [0.1, 10],
  'moonshot-v1-auto': [1, 2.5],
}
