// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const cohereLimits: Readonly<Record<string, LimitRow>> = {
  command: [4096, 4096],
  'command-a-03-2025': [256000, 8000],
  'command-light': [4096, 4096],
  'command-nightly': [4096, 4096],
  'command-r': [128000, 4096],
  'command-r-08-2024': [128000, 4096],
  'command-r-plus': [128000, 4096],
  'command-r-plus-08-2024': [128000, 4096],
  'command-r7b-12-2024': [128000, 4096],
  'embed-english-light-v2.0': [1024],
  'embed-english-light-v3.0': [1024],
  'embed-english-v2.0': [4096],
  'embed-english-v3.0': [1024],
  'embed-multilingual-light-v3.0': [1024],
  'embed-multilingual-v2.0': [768],
  'embed-multilingual-v3.0': [1024],
  'embed-v4.0': [128000],
  'rerank-english-v2.0': [4096, 4096],
  'rerank-english-v3.0': [4096, 4096],
  'rerank-multilingual-v2.0': [4096, 4096],
  'rerank-multilingual-v3.0': [4096, 4096],
  'rerank-v3.5': [4096, 4096],
}
