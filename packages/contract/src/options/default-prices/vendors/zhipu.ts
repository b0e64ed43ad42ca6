// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'

export const zhipuPrices: Readonly<Record<string, PriceRow>> = {
  'glm-4-32b-0414-128k': [0.05, 1],
  'glm-4.5': [0.3, 3.666666666667],
  'glm-4.5-air': [0.1, 5.5],
  'glm-4.5-airx': [0.55, 4.09090909091],
  'glm-4.5-flash': [0],
  'glm-4.5-x': [1.1, 4.045454545455],
  'glm-4.5v': [0.3, 3],
  'glm-4.6': [0.3, 3.666666666667, 0.183333333334],
  'glm-4.7': [0.3, 3.666666666667, 0.183333333334],
  'glm-4.7-flash': [0],
  'glm-5': [0.5, 3.2, 0.2],
  'glm-5-code': [0.6, 4.166666666667, 0.25],
  'glm-5.1': [0.7, 3.142857142858, 0.185714285715],
}
