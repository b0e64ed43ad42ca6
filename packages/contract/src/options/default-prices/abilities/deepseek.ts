// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const deepseekAbilities: AbilityRows = {
  'deepseek-chat': ['tools', 'json', 'cache'],
  'deepseek-coder': ['tools', 'cache'],
  'deepseek-r1': ['tools', 'reasoning', 'cache'],
  'deepseek-reasoner': ['reasoning', 'json', 'cache'],
  'deepseek-v3': ['tools', 'cache'],
  'deepseek-v3.2': ['tools', 'reasoning', 'cache'],
  'deepseek-v4-flash': ['tools', 'reasoning', 'json', 'cache'],
  'deepseek-v4-pro': ['tools', 'reasoning', 'json', 'cache'],
}
