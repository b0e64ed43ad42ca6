// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const minimaxAbilities: AbilityRows = {
  'MiniMax-M2': ['tools', 'reasoning', 'cache'],
  'MiniMax-M2.1': ['tools', 'reasoning', 'cache'],
  'MiniMax-M2.1-lightning': ['tools', 'reasoning', 'cache'],
  'MiniMax-M2.5': ['tools', 'reasoning', 'cache'],
  'MiniMax-M2.5-lightning': ['tools', 'reasoning', 'cache'],
  'MiniMax-M3': ['vision', 'tools', 'reasoning', 'cache'],
}
