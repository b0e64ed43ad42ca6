// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const groqAbilities: AbilityRows = {
  'gemma-7b-it': ['tools'],
  'llama-3.1-8b-instant': ['tools'],
  'llama-3.3-70b-versatile': ['tools'],
  'meta-llama/llama-4-maverick-17b-128e-instruct': ['vision', 'tools', 'json'],
  'meta-llama/llama-4-scout-17b-16e-instruct': ['vision', 'tools', 'json'],
  'meta-llama/llama-guard-4-12b': [],
  'moonshotai/kimi-k2-instruct-0905': ['tools', 'json'],
  'openai/gpt-oss-120b': ['tools', 'reasoning', 'json'],
  'openai/gpt-oss-20b': ['tools', 'reasoning', 'json'],
  'openai/gpt-oss-safeguard-20b': ['tools', 'reasoning', 'json'],
  'qwen/qwen3-32b': ['tools', 'reasoning'],
  'whisper-large-v3': [],
  'whisper-large-v3-turbo': [],
}
