// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const perplexityLimits: Readonly<Record<string, LimitRow>> = {
  'codellama-34b-instruct': [16384, 16384],
  'codellama-70b-instruct': [16384, 16384],
  'llama-2-70b-chat': [4096, 4096],
  'llama-3.1-70b-instruct': [131072, 131072],
  'llama-3.1-8b-instruct': [131072, 131072],
  'mistral-7b-instruct': [4096, 4096],
  'mixtral-8x7b-instruct': [4096, 4096],
  'pplx-70b-chat': [4096, 4096],
  'pplx-70b-online': [4096, 4096],
  'pplx-7b-chat': [8192, 8192],
  'pplx-7b-online': [4096, 4096],
  'pplx-embed-v1-0.6b': [32768],
  'pplx-embed-v1-4b': [32768],
  sonar: [128000],
  'sonar-deep-research': [128000],
  'sonar-medium-chat': [16384, 16384],
  'sonar-medium-online': [12000, 12000],
  'sonar-pro': [200000, 8000],
  'sonar-reasoning': [128000],
  'sonar-reasoning-pro': [128000],
  'sonar-small-chat': [16384, 16384],
  'sonar-small-online': [12000, 12000],
}
