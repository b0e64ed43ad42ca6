// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const alibabaAbilities: AbilityRows = {
  'qwen-coder': ['tools', 'reasoning'],
  'qwen-max': ['tools', 'reasoning'],
  'qwen-plus': ['tools', 'reasoning'],
  'qwen-plus-2025-01-25': ['tools', 'reasoning'],
  'qwen-plus-2025-04-28': ['tools', 'reasoning'],
  'qwen-plus-2025-07-14': ['tools', 'reasoning'],
  'qwen-turbo': ['tools', 'reasoning'],
  'qwen-turbo-2024-11-01': ['tools', 'reasoning'],
  'qwen-turbo-2025-04-28': ['tools', 'reasoning'],
  'qwen-turbo-latest': ['tools', 'reasoning'],
  'qwen3-next-80b-a3b-instruct': ['tools'],
  'qwen3-next-80b-a3b-thinking': ['tools', 'reasoning'],
  'qwen3-vl-235b-a22b-instruct': ['vision', 'tools'],
  'qwen3-vl-235b-a22b-thinking': ['vision', 'tools', 'reasoning'],
  'qwen3-vl-32b-instruct': ['vision', 'tools'],
  'qwen3-vl-32b-thinking': ['vision', 'tools', 'reasoning'],
  'qwen3.7-max': ['tools', 'reasoning', 'json', 'cache'],
  'qwq-plus': ['tools', 'reasoning'],
}
