// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const perplexityPrices: Readonly<Record<string, PriceRow>> = {
  'codellama-34b-instruct': [0.175, 4],
  'codellama-70b-instruct': [0.35, 4],
  'llama-2-70b-chat': [0.35, 4],
  'llama-3.1-70b-instruct': [0.5, 1],
  'llama-3.1-8b-instruct': [0.1, 1],
  'mistral-7b-instruct': [0.035, 4],
  'mixtral-8x7b-instruct': [0.035, 4],
  'pplx-70b-chat': [0.35, 4],
  'pplx-7b-chat': [0.035, 4],
  'pplx-embed-v1-0.6b': [0.002],
  'pplx-embed-v1-4b': [0.015],
  sonar: [0.5, 1],
  'sonar-deep-research': [1, 4],
  'sonar-medium-chat': [0.3, 3],
  'sonar-pro': [1.5, 5],
  'sonar-reasoning': [0.5, 5],
  'sonar-reasoning-pro': [1, 4],
  'sonar-small-chat': [0.035, 4],
}
