import type { PriceRow } from '../price-row.ts'

/** DeepSeek. */
export const deepseekPrices: Readonly<Record<string, PriceRow>> = {
  'deepseek-r1': [0.275, 3.981818181818],
  'deepseek-v3': [0.135, 4.074074074074, 0.259259259259],
  'deepseek-v3.2': [0.14, 1.428571428571],
  'deepseek-v4-flash': [0.07, 2, 0.02],
  'deepseek-v4-pro': [0.2175, 2, 0.008333333333],
}
