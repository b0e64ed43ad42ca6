// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const zhipuAbilities: AbilityRows = {
  'glm-4-32b-0414-128k': ['tools'],
  'glm-4.5': ['tools'],
  'glm-4.5-air': ['tools'],
  'glm-4.5-airx': ['tools'],
  'glm-4.5-flash': ['tools'],
  'glm-4.5-x': ['tools'],
  'glm-4.5v': ['vision', 'tools'],
  'glm-4.6': ['tools', 'reasoning', 'cache'],
  'glm-4.7': ['tools', 'reasoning', 'cache'],
  'glm-4.7-flash': ['tools', 'reasoning', 'cache'],
  'glm-5': ['tools', 'reasoning', 'cache'],
  'glm-5-code': ['tools', 'reasoning', 'cache'],
  'glm-5.1': ['tools', 'reasoning', 'cache'],
}
