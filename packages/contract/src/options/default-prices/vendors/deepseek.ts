// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const deepseekPrices: Readonly<Record<string, PriceRow>> = {
  'deepseek-chat': [0.14, 1.5, 0.1],
  'deepseek-coder': [0.07, 2],
  'deepseek-r1': [0.275, 3.981818181819],
  'deepseek-reasoner': [0.14, 1.5, 0.1],
  'deepseek-v3': [0.135, 4.074074074075, 0.25925925926],
  'deepseek-v3.2': [0.14, 1.428571428572],
  'deepseek-v4-flash': [0.07, 2, 0.02],
  'deepseek-v4-pro': [0.2175, 2, 0.008333333334],
}
