// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const alibabaLimits: Readonly<Record<string, LimitRow>> = {
  'qwen-coder': [1000000, 16384],
  'qwen-max': [30720, 8192],
  'qwen-plus': [129024, 16384],
  'qwen-plus-2025-01-25': [129024, 8192],
  'qwen-plus-2025-04-28': [129024, 16384],
  'qwen-plus-2025-07-14': [129024, 16384],
  'qwen-turbo': [129024, 16384],
  'qwen-turbo-2024-11-01': [1000000, 8192],
  'qwen-turbo-2025-04-28': [1000000, 16384],
  'qwen-turbo-latest': [1000000, 16384],
  'qwen3-next-80b-a3b-instruct': [262144, 65536],
  'qwen3-next-80b-a3b-thinking': [262144, 65536],
  'qwen3-vl-235b-a22b-instruct': [131072, 32768],
  'qwen3-vl-235b-a22b-thinking': [131072, 32768],
  'qwen3-vl-32b-instruct': [131072, 32768],
  'qwen3-vl-32b-thinking': [131072, 32768],
  'qwen3.7-max': [991808, 65536],
  'qwq-plus': [98304, 8192],
}
