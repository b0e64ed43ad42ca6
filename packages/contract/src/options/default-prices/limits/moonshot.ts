// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const moonshotLimits: Readonly<Record<string, LimitRow>> = {
  'kimi-k2-0711-preview': [131072, 131072],
  'kimi-k2-0905-preview': [262144, 262144],
  'kimi-k2-thinking': [262144, 262144],
  'kimi-k2-thinking-turbo': [262144, 262144],
  'kimi-k2-turbo-preview': [262144, 262144],
  'kimi-k2.5': [262144, 262144],
  'kimi-k2.6': [262144, 262144],
  'kimi-latest': [131072, 131072],
  'kimi-latest-128k': [131072, 131072],
  'kimi-latest-32k': [32768, 32768],
  'kimi-latest-8k': [8192, 8192],
  'kimi-thinking-preview': [131072, 131072],
  'moonshot-v1-128k': [131072, 131072],
  'moonshot-v1-128k-0430': [131072, 131072],
  'moonshot-v1-128k-vision-preview': [131072, 131072],
  'moonshot-v1-32k': [32768, 32768],
  'moonshot-v1-32k-0430': [32768, 32768],
  'moonshot-v1-32k-vision-preview': [32768, 32768],
  'moonshot-v1-8k': [8192, 8192],
  'moonshot-v1-8k-0430': [8192, 8192],
  'moonshot-v1-8k-vision-preview': [8192, 8192],
  'moonshot-v1-auto': [131072, 131072],
}
