// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'

export const zhipuLimits: Readonly<Record<string, LimitRow>> = {
  'glm-4-32b-0414-128k': [128000, 32000],
  'glm-4.5': [128000, 32000],
  'glm-4.5-air': [128000, 32000],
  'glm-4.5-airx': [128000, 32000],
  'glm-4.5-flash': [128000, 32000],
  'glm-4.5-x': [128000, 32000],
  'glm-4.5v': [128000, 32000],
  'glm-4.6': [200000, 128000],
  'glm-4.7': [200000, 128000],
  'glm-4.7-flash': [200000, 128000],
  'glm-5': [200000, 128000],
  'glm-5-code': [200000, 128000],
  'glm-5.1': [200000, 128000],
}
