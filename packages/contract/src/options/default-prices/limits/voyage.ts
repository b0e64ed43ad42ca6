// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const voyageLimits: Readonly<Record<string, LimitRow>> = {
  'rerank-2': [16000, 16000],
  'rerank-2-lite': [8000, 8000],
  'rerank-2.5': [32000, 32000],
  'rerank-2.5-lite': [32000, 32000],
  'voyage-2': [4000],
  'voyage-3': [32000],
  'voyage-3-large': [32000],
  'voyage-3-lite': [32000],
  'voyage-3.5': [32000],
  'voyage-3.5-lite': [32000],
  'voyage-code-2': [16000],
  'voyage-code-3': [32000],
  'voyage-context-3': [120000],
  'voyage-finance-2': [32000],
  'voyage-large-2': [16000],
  'voyage-law-2': [16000],
  'voyage-lite-01': [4096],
  'voyage-lite-02-instruct': [4000],
  'voyage-multimodal-3': [32000],
}
