// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const deepseekLimits: Readonly<Record<string, LimitRow>> = {
  'deepseek-chat': [131072, 8192],
  'deepseek-coder': [128000, 4096],
  'deepseek-r1': [65536, 8192],
  'deepseek-reasoner': [131072, 65536],
  'deepseek-v3': [65536, 8192],
  'deepseek-v3.2': [163840, 163840],
  'deepseek-v4-flash': [1000000, 8192],
  'deepseek-v4-pro': [1000000, 8192],
}
