// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const bytedanceLimits: Readonly<Record<string, LimitRow>> = {
  'deepseek-v3-2-251201': [98304, 32768],
  'doubao-embedding': [4096],
  'doubao-embedding-large': [4096],
  'doubao-embedding-large-text-240915': [4096],
  'doubao-embedding-large-text-250515': [4096],
  'doubao-embedding-text-240715': [4096],
  'glm-4-7-251222': [204800, 131072],
  'kimi-k2-thinking-251104': [229376, 32768],
}
