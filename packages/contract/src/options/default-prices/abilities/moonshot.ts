// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'

export const moonshotAbilities: AbilityRows = {
  'kimi-k2-0711-preview': ['tools'],
  'kimi-k2-0905-preview': ['tools'],
  'kimi-k2-thinking': ['tools', 'reasoning'],
  'kimi-k2-thinking-turbo': ['tools', 'reasoning'],
  'kimi-k2-turbo-preview': ['tools'],
  'kimi-k2.5': ['vision', 'tools', 'reasoning', 'json'],
  'kimi-k2.6': ['vision', 'tools', 'reasoning', 'json'],
  'kimi-latest': ['vision', 'tools'],
  'kimi-latest-128k': ['vision', 'tools'],
  'kimi-latest-32k': ['vision', 'tools'],
  'kimi-latest-8k': ['vision', 'tools'],
  'kimi-thinking-preview': ['vision'],
  'moonshot-v1-128k': ['tools', 'json'],
  'moonshot-v1-128k-0430': ['tools'],
  'moonshot-v1-128k-vision-preview': ['vision', 'tools', 'json'],
  'moonshot-v1-32k': ['tools', 'json'],
  'moonshot-v1-32k-0430': ['tools'],
  'moonshot-v1-32k-vision-preview': ['vision', 'tools', 'json'],
  'moonshot-v1-8k': ['tools', 'json'],
  'moonshot-v1-8k-0430': ['tools'],
  'moonshot-v1-8k-vision-preview': ['vision', 'tools', 'json'],
  'moonshot-v1-auto': ['tools', 'json'],
}
