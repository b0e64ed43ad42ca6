// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const groqPrices: Readonly<Record<string, PriceRow>> = {
  'gemma-7b-it': [0.025, 1.6],
  'llama-3.1-8b-instant': [0.025, 1.6],
  'llama-3.3-70b-versatile': [0.295, 1.338983050848],
  'meta-llama/llama-4-maverick-17b-128e-instruct': [0.1, 3],
  'meta-llama/llama-4-scout-17b-16e-instruct': [0.055, 3.09090909091],
  'meta-llama/llama-guard-4-12b': [0.1, 1],
  'moonshotai/kimi-k2-instruct-0905': [0.5, 3, 0.5],
  'openai/gpt-oss-120b': [0.075, 4, 0.5],
  'openai/gpt-oss-20b': [0.0375, 4, 0.5],
  'openai/gpt-oss-safeguard-20b': [0.0375, 4, 0.493333333334],
  'qwen/qwen3-32b': [0.145, 2.034482758621],
  'whisper-large-v3': [0.9249],
  'whisper-large-v3-turbo': [0.3333],
}
