// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const bytedanceAbilities: AbilityRows = {
  'deepseek-v3-2-251201': ['tools', 'reasoning', 'cache'],
  'doubao-embedding': [],
  'doubao-embedding-large': [],
  'doubao-embedding-large-text-240915': [],
  'doubao-embedding-large-text-250515': [],
  'doubao-embedding-text-240715': [],
  'glm-4-7-251222': ['tools', 'reasoning', 'cache'],
  'kimi-k2-thinking-251104': ['tools', 'reasoning', 'cache'],
}
