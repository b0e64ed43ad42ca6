// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const groqLimits: Readonly<Record<string, LimitRow>> = {
  'gemma-7b-it': [8192, 8192],
  'llama-3.1-8b-instant': [128000, 8192],
  'llama-3.3-70b-versatile': [128000, 32768],
  'meta-llama/llama-4-maverick-17b-128e-instruct': [131072, 8192],
  'meta-llama/llama-4-scout-17b-16e-instruct': [131072, 8192],
  'meta-llama/llama-guard-4-12b': [8192, 8192],
  'moonshotai/kimi-k2-instruct-0905': [262144, 16384],
  'openai/gpt-oss-120b': [131072, 32766],
  'openai/gpt-oss-20b': [131072, 32768],
  'openai/gpt-oss-safeguard-20b': [131072, 65536],
  'qwen/qwen3-32b': [131000, 131000],
}
