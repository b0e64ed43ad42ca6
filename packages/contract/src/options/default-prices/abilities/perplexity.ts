// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const perplexityAbilities: AbilityRows = {
  'codellama-34b-instruct': [],
  'codellama-70b-instruct': [],
  'llama-2-70b-chat': [],
  'llama-3.1-70b-instruct': [],
  'llama-3.1-8b-instruct': [],
  'mistral-7b-instruct': [],
  'mixtral-8x7b-instruct': [],
  'pplx-70b-chat': [],
  'pplx-70b-online': [],
  'pplx-7b-chat': [],
  'pplx-7b-online': [],
  'pplx-embed-v1-0.6b': [],
  'pplx-embed-v1-4b': [],
  search: [],
  sonar: [],
  'sonar-deep-research': ['reasoning'],
  'sonar-medium-chat': [],
  'sonar-medium-online': [],
  'sonar-pro': [],
  'sonar-reasoning': ['reasoning'],
  'sonar-reasoning-pro': ['reasoning'],
  'sonar-small-chat': [],
  'sonar-small-online': [],
}
