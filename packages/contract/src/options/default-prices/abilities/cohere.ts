// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const cohereAbilities: AbilityRows = {
  command: [],
  'command-a-03-2025': ['tools'],
  'command-light': [],
  'command-nightly': [],
  'command-r': ['tools'],
  'command-r-08-2024': ['tools'],
  'command-r-plus': ['tools'],
  'command-r-plus-08-2024': ['tools'],
  'command-r7b-12-2024': ['tools'],
  'embed-english-light-v2.0': [],
  'embed-english-light-v3.0': [],
  'embed-english-v2.0': [],
  'embed-english-v3.0': [],
  'embed-multilingual-light-v3.0': [],
  'embed-multilingual-v2.0': [],
  'embed-multilingual-v3.0': [],
  'embed-v4.0': [],
  'rerank-english-v2.0': [],
  'rerank-english-v3.0': [],
  'rerank-multilingual-v2.0': [],
  'rerank-multilingual-v3.0': [],
  'rerank-v3.5': [],
}
